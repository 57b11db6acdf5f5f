import { ApiError, type api, type Decision, type ParamsOf, Role } from '@oxbow/contract'
import { decideMayCreateStreams, decideMaySubscribeOthers } from '../../organization/permissions.ts'
import { limitedPlan } from '../../organization/plans.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { canAccess, canSee, decideByStream, toViewer } from '../access.ts'
import { type Actors, findBotOwner, getPerson, listSubscribedStreamIds, loadActors } from '../queries.ts'
import type { MatchedStreams, StreamDraft } from './create-streams.ts'
import { refuseTooManyNewStreams, refuseTooManyPairs } from './limits.ts'
import { accessPrincipals, type Principals } from './principals.ts'
import type { Subscriber } from './queries.ts'

export type SubscribeParams = Omit<ParamsOf<typeof api.subscriptions.subscribe>, 'principals'> & {
  principals: Principals
}
type Caller = Awaited<ReturnType<typeof getPerson>>

export interface CheckedSubscribe {
  organization: OrganizationRow
  caller: Caller
  /** The existing streams that the caller may join. */
  open: readonly StreamRow[]
  closed: readonly StreamRow[]
  subscribers: readonly Subscriber[]
}

export const isForOthers = ({ principals }: SubscribeParams): boolean => (principals?.length ?? 0) > 0

/** Returns the name as requested, because callers must not learn the spelling of a hidden stream. */
export const getRequestedName = (drafts: readonly StreamDraft[], { folded_name, name }: StreamRow): string =>
  drafts.find((draft) => draft.folded_name === folded_name)?.name ?? name

/** Performs all checks of a request to subscribe that need no lock. Throws if it is refused. */
export async function checkSubscribe(
  app: App,
  db: Db,
  actor: Actor,
  params: SubscribeParams,
  drafts: readonly StreamDraft[],
  { existing, missing }: MatchedStreams,
): Promise<CheckedSubscribe> {
  const organization = await getOrganization(db, actor.organization_id)
  const caller = await getPerson(db, actor)
  // A caller who may not create streams gets the same error for a hidden stream as for a missing
  // one.
  const isAnyHidden = existing.some((stream) => !canSee(stream, toViewer(actor, stream)))
  if (missing.length > 0 || isAnyHidden) requireCreatePermission(actor, organization, caller, missing)
  const refuseStream = (stream: StreamRow) => {
    throw new ApiError('STREAM_NOT_ACCESSIBLE', { name: getRequestedName(drafts, stream) })
  }
  const { open = [], closed = [] } = Object.groupBy(existing, (stream) =>
    canAccess(stream, toViewer(actor, stream)) ? 'open' : 'closed',
  )
  if (closed[0] && params.authorization_errors_fatal) refuseStream(closed[0])
  if (isForOthers(params)) await checkSubscribingOthers(db, actor, { organization, caller, open, missing })
  refuseTooManyNewStreams(missing)
  refuseTooManyPairs(params.principals, drafts)
  const subscribers = await accessPrincipals(app, db, actor, params.principals)
  const closedToOwner = isForOthers(params) && (await findClosedToOwner(db, actor, subscribers, open))
  if (closedToOwner) refuseStream(closedToOwner)
  return { organization, caller, open, closed, subscribers }
}

/**
 * Returns a private stream to which a bot would subscribe its owner, or another bot of the same
 * owner, although the owner is not subscribed. This is refused, because the members who subscribed
 * the bot did not admit its owner.
 */
async function findClosedToOwner(
  db: Db,
  actor: Actor,
  subscribers: readonly Subscriber[],
  streams: readonly StreamRow[],
): Promise<StreamRow | undefined> {
  const owner = await findBotOwner(db, actor)
  if (!owner) return undefined
  const isOwners = ({ id, bot_owner_id }: Subscriber) =>
    id !== actor.user_id && (id === owner.user_id || bot_owner_id === owner.user_id)
  if (!subscribers.some(isOwners)) return undefined
  const ownerStreamIds = await listSubscribedStreamIds(db, owner)
  return streams.find(({ invite_only, id }) => invite_only && !ownerStreamIds.has(id))
}

function requireCreatePermission(
  { role }: Actor,
  organization: OrganizationRow,
  caller: Caller,
  missing: readonly StreamDraft[],
): void {
  if (!decideMayCreateStreams(organization, caller).allowed) throw new ApiError('CANNOT_CREATE_STREAMS')
  if (missing.every(({ message_retention_days }) => message_retention_days === null)) return
  if (role !== Role.owner) throw new ApiError('CANNOT_CHOOSE_RETENTION')
  if (organization.plan_type === limitedPlan) throw new ApiError('PLAN_TOO_SMALL')
}

/**
 * Throws unless the organization, or each of the streams, lets the caller subscribe others. The creator of a
 * stream has no right there yet.
 */
async function checkSubscribingOthers(
  db: Db,
  actor: Actor,
  {
    organization,
    caller,
    open,
    missing,
  }: Pick<CheckedSubscribe, 'organization' | 'caller' | 'open'> & Pick<MatchedStreams, 'missing'>,
): Promise<void> {
  if (decideMaySubscribeOthers(organization, caller).allowed) return
  const isAnyDefault = open.some(({ rights }) => !rights.can_add_subscribers_group)
  if (missing.length > 0 || isAnyDefault) return requireSubscribeOthersPermission(organization, caller)
  const actors = await loadActors(db, actor)
  if (!open.every((stream) => decideMayAddPeople(organization, stream, caller, actors).allowed))
    requireSubscribeOthersPermission(organization, caller)
}

/** Decides whether the caller may subscribe others to the stream. Guests never may, because they see few people. */
export function decideMayAddPeople(
  organization: OrganizationRow,
  stream: Pick<StreamRow, 'rights'>,
  caller: Pick<UserRow, 'role' | 'date_joined'>,
  actors: Actors,
): Decision {
  const byOrganization = decideMaySubscribeOthers(organization, caller)
  if (byOrganization.allowed || caller.role === Role.guest) return byOrganization
  const byStream = decideByStream(stream, 'can_add_subscribers_group', actors)
  return byStream.allowed ? byStream : byOrganization
}

export function requireSubscribeOthersPermission(
  organization: OrganizationRow,
  caller: Pick<UserRow, 'role' | 'date_joined'>,
): void {
  const { allowed, rule } = decideMaySubscribeOthers(organization, caller)
  if (allowed) return
  throw new ApiError(
    rule === 'policy_administrators' ? 'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS' : 'TOO_NEW_TO_SUBSCRIBE_OTHERS',
  )
}
