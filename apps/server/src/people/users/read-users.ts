import { ApiError, type api, type ParamsOf, type ResponseOf, Role, type UserId } from '@oxbow/contract'
import { coherentCache } from '../../events/coherent-cache.ts'
import { isNewest } from '../../events/log/is-newest.ts'
import { findAccountByShownEmail } from '../../identity/accounts/find-by-email.ts'
import { filterSeen, isSightLimited } from '../../identity/accounts/sight.ts'
import { findCachedMaxMessageId } from '../../messages/unread/cached-max-message-id.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import type { InPieces } from '../../platform/pieces.ts'
import {
  findShownUser,
  listShownUsers,
  listShownUsersInSight,
  maxUsersPerPiece,
  type ShownUser,
  type UserKey,
} from './queries.ts'
import { getSharedUsers, readSharedUsers } from './shared-users.ts'
import { type ViewOptions, viewOwnUser, viewUser } from './views.ts'

type Users = typeof api.users

/**
 * Lists all users whom the caller sees. For large organizations, callers share the serialized lists. Otherwise the first
 * page is read before the response begins, so short lists are sent at once and most failures can
 * still be reported as errors.
 */
export async function listUsers(
  app: App,
  actor: Actor,
  params: ParamsOf<Users['list']>,
): Promise<InPieces<ResponseOf<Users['list']>>> {
  const view = viewFor(actor, params)
  const { organization_id } = actor
  const isLimited = actor.role === Role.guest && (await isSightLimited(app.db, actor))
  const pieces = isLimited
    ? listShownUsersInSight(app.db, actor, view.withProfile)
    : listShownUsers(app.db, organization_id, view.withProfile)
  const show = (users: ShownUser[]) => users.map((user) => viewUser(app, user, view))
  const readPiece = async () => show((await pieces.next()).value ?? [])
  const first =
    !isLimited && getSharedUsers(app).isKnownLarge(organization_id) ? undefined : await readPiece()
  if (first && first.length < maxUsersPerPiece) return { members: first }
  const [members] =
    (!isLimited &&
      (await inSnapshot(app.db, (db) => readSharedUsers(app, db, organization_id, view, 'listed')))) ||
    []
  if (members) return { members }
  const begun = first ?? (await readPiece())
  return {
    members: (async function* () {
      yield begun
      for await (const piece of pieces) yield show(piece)
    })(),
  }
}

export async function getUser(
  app: App,
  actor: Actor,
  params: ParamsOf<Users['get']>,
): Promise<ResponseOf<Users['get']>> {
  return showUser(app, actor, params.user_id, params)
}

export async function getUserByEmail(
  app: App,
  actor: Actor,
  params: ParamsOf<Users['getByEmail']>,
): Promise<ResponseOf<Users['getByEmail']>> {
  const account = await findAccountByShownEmail(app.config, app.db, actor, params.email)
  // A guest's request does the same for an address that nobody has as for the address of a hidden user.
  if (account?.is_system || (!account && actor.role !== Role.guest)) throw new ApiError('NO_SUCH_USER')
  return showUser(app, actor, account?.id ?? nobody, params)
}

/** An id that no account has. */
const nobody = 0 as UserId

const getUserCache = coherentCache<ShownUser>('users')

/** Finds a user in the coherent cache of this node, or in PostgreSQL. */
async function findCachedUser(app: App, key: UserKey, withProfile: boolean): Promise<ShownUser | undefined> {
  return getUserCache(app).find(cacheKey(key, withProfile)) ?? findNewestUser(app, key, withProfile)
}

/** Finds a user in PostgreSQL, and caches it. */
function findNewestUser(app: App, key: UserKey, withProfile: boolean): Promise<ShownUser | undefined> {
  const { organization_id, id } = key
  return getUserCache(app).refresh(cacheKey(key, withProfile), async () => {
    const value = await findShownUser(app.db, key, withProfile)
    return value && { value, organization_id, user_id: id }
  })
}

const cacheKey = ({ organization_id, id }: UserKey, withProfile: boolean): string =>
  `${organization_id} ${id} ${withProfile}`

async function showUser(app: App, actor: Actor, id: UserId, params: ParamsOf<Users['list']>) {
  const view = viewFor(actor, params)
  const key = { organization_id: actor.organization_id, id }
  const isSeen = (await filterSeen(app.db, actor, [id])).has(id)
  const user = isSeen ? await findCachedUser(app, key, view.withProfile) : undefined
  if (!user) throw new ApiError('NO_SUCH_USER')
  return { user: viewUser(app, user, view) }
}

/**
 * Returns the caller's account. The response includes every change that any node committed before
 * the request, so a client reads its own changes regardless of the node. It is served from memory
 * if this node has applied all records of the log, and otherwise from PostgreSQL.
 */
export async function getOwnUser(app: App, actor: Actor): Promise<ResponseOf<Users['me']>> {
  const key = { organization_id: actor.organization_id, id: actor.user_id }
  const organization = app.events.log.organizations.get(actor.organization_id)
  const isFresh = organization !== undefined && (await isNewest(app.db, organization))
  const user = await (isFresh ? findCachedUser(app, key, true) : findNewestUser(app, key, true))
  if (!user) throw new ApiError('INVALID_API_KEY')
  return showOwnUser(app, user, await findCachedMaxMessageId(app, actor, isFresh))
}

type OwnUser = Readonly<ResponseOf<Users['me']>>

/** The last response for each cached account. An entry is freed together with the account. */
const ownUsers = new WeakMap<ShownUser, OwnUser>()

/** Returns the response. It is frozen, so that an equal response need not be serialized again. */
function showOwnUser(app: App, user: ShownUser, max_message_id: number): OwnUser {
  const shown = ownUsers.get(user)
  if (shown?.max_message_id === max_message_id) return shown
  const response = Object.freeze({ ...viewOwnUser(app, user), max_message_id })
  ownUsers.set(user, response)
  return response
}

function viewFor(actor: Actor, params: ParamsOf<Users['list']>): ViewOptions {
  return {
    viewerRole: actor.role,
    clientComputesAvatars: params.client_external_avatar,
    withProfile: params.include_custom_profile_fields,
  }
}
