import { ApiError, type api, type ParamsOf, type ResponseOf, Role, type UserId } from '@oxbow/contract'
import { displayEmail } from '../../accounts/display-email.ts'
import { writeAs } from '../../identity/write-as.ts'
import { decideMayCreateStreams, decideMaySubscribeOthers } from '../../organization/permissions.ts'
import { limitedPlan } from '../../organization/plans.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { canAccess, canSee, toViewer } from '../access.ts'
import { enqueueNotices } from '../notices.ts'
import { findBotOwner, getPerson, listSubscribedStreamIds } from '../queries.ts'
import { addSubscriptions } from './add-subscriptions.ts'
import { createStreams, draftStreams, matchDrafts, type StreamDraft } from './create-streams.ts'
import { buildNotices } from './notices.ts'
import { accessPrincipals, type Principals } from './principals.ts'
import type { Subscriber } from './queries.ts'
import { refuseTooManyStreams } from './stream-limit.ts'

type Subscribe = typeof api.subscriptions.subscribe
type Params = Omit<ParamsOf<Subscribe>, 'principals'> & { principals: Principals }
type SubscribeResponse = ResponseOf<Subscribe>
type Caller = Awaited<ReturnType<typeof getPerson>>

/** The maximum number of user and stream pairs per request. */
const maxPairs = 50_000

export async function subscribe(
  app: App,
  actor: Actor,
  params: ParamsOf<Subscribe>,
): Promise<SubscribeResponse> {
  const drafts = await draftStreams(app, params.subscriptions, params)
  return writeAs(app, actor, (tx) => subscribeInTransaction(app, tx, actor, params, drafts))
}

/**
 * Subscribes users within a transaction. Performs all checks before it creates or changes anything.
 */
export async function subscribeInTransaction(
  app: App,
  tx: Tx,
  actor: Actor,
  params: Params,
  drafts: readonly StreamDraft[],
): Promise<SubscribeResponse> {
  const { organization_id } = actor
  const organization = await getOrganization(tx, organization_id)
  const caller = await getPerson(tx, actor)
  const { existing, missing } = await matchDrafts(tx, actor, drafts)
  // A caller who may not create streams gets the same error for a hidden stream as for a missing
  // one.
  const isAnyHidden = existing.some((stream) => !canSee(stream, toViewer(actor, stream)))
  if (missing.length > 0 || isAnyHidden) requireCreatePermission(actor, organization, caller, missing)
  const open = existing.filter((stream) => canAccess(stream, toViewer(actor, stream)))
  const closed = existing.filter((stream) => !open.includes(stream))
  // Returns the name as the caller spelled it, because the caller must not learn the spelling of a
  // hidden stream.
  const toRequestedName = ({ folded_name, name }: StreamRow) =>
    drafts.find((draft) => draft.folded_name === folded_name)?.name ?? name
  if (closed[0] && params.authorization_errors_fatal)
    throw new ApiError('STREAM_NOT_ACCESSIBLE', { name: toRequestedName(closed[0]) })
  const isForOthers = (params.principals?.length ?? 0) > 0
  if (isForOthers) requireSubscribeOthersPermission(organization, caller)
  const subscribers = await accessPrincipals(app, tx, actor, params.principals)
  const closedToOwner = isForOthers ? await findClosedToOwner(tx, actor, subscribers, open) : undefined
  if (closedToOwner) throw new ApiError('STREAM_NOT_ACCESSIBLE', { name: toRequestedName(closedToOwner) })
  refuseTooManyPairs(subscribers, drafts)
  await refuseTooManyStreams(app, tx, actor, missing.length)

  const created = await createStreams(tx, actor, missing)
  const streams = [...open, ...created]
  const colors = new Map(params.subscriptions.flatMap(({ name, color }) => (color ? [[name, color]] : [])))
  const done = await addSubscriptions(app.config, tx, { organization_id, streams, subscribers, colors })
  const notices = buildNotices({
    caller,
    organization,
    subscribers: isForOthers ? subscribers : [],
    added: done.added,
    created,
    isAnnounced: params.announce,
  })
  await enqueueNotices(tx, organization_id, caller, notices)

  const emails = new Map(
    subscribers.map((subscriber) => [subscriber.id, displayEmail(app.config, subscriber)]),
  )
  return {
    subscribed: listNamesByEmail(emails, done.added),
    already_subscribed: listNamesByEmail(emails, done.already),
    ...(!params.authorization_errors_fatal && { unauthorized: closed.map(toRequestedName) }),
  }
}

/**
 * Returns a private stream to which a bot would subscribe its owner, or another bot of the same
 * owner, although the owner is not subscribed. This is refused, because the members who subscribed
 * the bot did not admit its owner.
 */
async function findClosedToOwner(
  tx: Tx,
  actor: Actor,
  subscribers: readonly Subscriber[],
  streams: readonly StreamRow[],
): Promise<StreamRow | undefined> {
  const owner = await findBotOwner(tx, actor)
  if (!owner) return undefined
  const isOwners = ({ id, bot_owner_id }: Subscriber) =>
    id !== actor.user_id && (id === owner.user_id || bot_owner_id === owner.user_id)
  if (!subscribers.some(isOwners)) return undefined
  const ownerStreamIds = await listSubscribedStreamIds(tx, owner)
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

export function refuseTooManyPairs(subscribers: readonly unknown[], streams: readonly unknown[]): void {
  if (subscribers.length * streams.length > maxPairs)
    throw new ApiError('TOO_MANY_SUBSCRIPTIONS', { limit: maxPairs })
}

function listNamesByEmail(
  emails: ReadonlyMap<Subscriber['id'], string>,
  streams: ReadonlyMap<UserId, StreamRow[]>,
): Record<string, string[]> {
  const entries = [...streams].map(([id, list]) => [emails.get(id), list.map(({ name }) => name)])
  return Object.fromEntries(entries)
}
