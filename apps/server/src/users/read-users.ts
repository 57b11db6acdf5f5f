import { ApiError, type api, type ParamsOf, type ResponseOf, type UserId } from '@oxbow/contract'
import { findAccountByShownEmail } from '../accounts/find-by-email.ts'
import { findMaxMessageId } from '../messages/unread/own-messages.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { InPieces } from '../platform/pieces.ts'
import { findCachedUser } from './cached-users.ts'
import { listShownUsers, maxUsersPerPiece, type ShownUser } from './queries.ts'
import { type ViewOptions, viewOwnUser, viewUser } from './views.ts'

type Users = typeof api.users

/**
 * Lists all users. The first piece is read before the response begins, so most lists are sent whole
 * and most failures are still reported as errors.
 */
export async function listUsers(
  app: App,
  actor: Actor,
  params: ParamsOf<Users['list']>,
): Promise<InPieces<ResponseOf<Users['list']>>> {
  const view = viewFor(actor, params)
  const pieces = listShownUsers(app.db, actor.organization_id, view.withProfile)
  const show = (users: ShownUser[]) => users.map((user) => viewUser(app, user, view))
  const first = show((await pieces.next()).value ?? [])
  if (first.length < maxUsersPerPiece) return { members: first }
  return {
    members: (async function* () {
      yield first
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
  if (!account || account.is_system) throw new ApiError('NO_SUCH_USER')
  return showUser(app, actor, account.id, params)
}

async function showUser(app: App, actor: Actor, id: UserId, params: ParamsOf<Users['list']>) {
  const view = viewFor(actor, params)
  const key = { organization_id: actor.organization_id, id }
  const user = await findCachedUser(app, key, view.withProfile)
  if (!user) throw new ApiError('NO_SUCH_USER')
  return { user: viewUser(app, user, view) }
}

export async function getOwnUser(app: App, actor: Actor): Promise<ResponseOf<Users['me']>> {
  const key = { organization_id: actor.organization_id, id: actor.user_id }
  const user = await findCachedUser(app, key, true)
  if (!user) throw new ApiError('INVALID_API_KEY')
  return { ...viewOwnUser(app, user), max_message_id: await findMaxMessageId(app.db, actor) }
}

function viewFor(actor: Actor, params: ParamsOf<Users['list']>): ViewOptions {
  return {
    viewerRole: actor.role,
    clientComputesAvatars: params.client_external_avatar,
    withProfile: params.include_custom_profile_fields,
  }
}
