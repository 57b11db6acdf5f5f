import { ApiError, type api, type ParamsOf, type ResponseOf, Role, type UserId } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import { displayEmail } from '../../organization/display-email.ts'
import { decideToCreateStreams, decideToSubscribeOthers } from '../../organization/permissions.ts'
import { limitedPlan } from '../../organization/plans.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow, StreamRow, UserRow } from '../../platform/database/tables.ts'
import { mayAccess, maySee, viewerOf } from '../access.ts'
import { leaveNotices } from '../notices.ts'
import { findBotOwner, getPerson, listStreamsOf } from '../queries.ts'
import { addSubscriptions } from './add-subscriptions.ts'
import { createStreams, type Draft, draftStreams, findOrDraft } from './create-streams.ts'
import { noticesOf } from './notices.ts'
import { accessPrincipals, type Principals } from './principals.ts'
import type { Subscriber } from './queries.ts'
import { refuseTooManyStreams } from './stream-limit.ts'

type Subscribe = typeof api.subscriptions.subscribe
type Given = Omit<ParamsOf<Subscribe>, 'principals'> & { principals: Principals }
type Answer = ResponseOf<Subscribe>
type Caller = Awaited<ReturnType<typeof getPerson>>

/** How many pairs of a person and a stream one call may make. */
const mostPairs = 50_000

export async function subscribe(app: App, actor: Actor, given: ParamsOf<Subscribe>): Promise<Answer> {
  const drafts = await draftStreams(app, given.subscriptions, given)
  return writeAs(app, actor, (tx) => subscribeIn(app, tx, actor, given, drafts))
}

/** Everything is checked before anything is made. */
export async function subscribeIn(
  app: App,
  tx: Tx,
  actor: Actor,
  given: Given,
  drafts: readonly Draft[],
): Promise<Answer> {
  const { organization_id } = actor
  const organization = await getOrganization(tx, organization_id)
  const caller = await getPerson(tx, actor)
  const { existing, missing } = await findOrDraft(tx, actor, drafts)
  // To callers who may not create streams a hidden stream is one that does not exist.
  const isAnyHidden = existing.some((stream) => !maySee(stream, viewerOf(actor, stream)))
  if (missing.length > 0 || isAnyHidden) refuseUnlessMayCreate(actor, organization, caller, missing)
  const open = existing.filter((stream) => mayAccess(stream, viewerOf(actor, stream)))
  const closed = existing.filter((stream) => !open.includes(stream))
  // In the caller's spelling: that of a hidden stream is not theirs to know.
  const asGiven = ({ folded_name, name }: StreamRow) =>
    drafts.find((draft) => draft.folded_name === folded_name)?.name ?? name
  if (closed[0] && given.authorization_errors_fatal)
    throw new ApiError('STREAM_NOT_ACCESSIBLE', { name: asGiven(closed[0]) })
  const isForOthers = (given.principals?.length ?? 0) > 0
  if (isForOthers) refuseUnlessMaySubscribeOthers(organization, caller)
  const subscribers = await accessPrincipals(app, tx, actor, given.principals)
  const closedToOwner = isForOthers ? await findClosedToOwner(tx, actor, subscribers, open) : undefined
  if (closedToOwner) throw new ApiError('STREAM_NOT_ACCESSIBLE', { name: asGiven(closedToOwner) })
  refuseTooMany(subscribers, drafts)
  await refuseTooManyStreams(app, tx, actor, missing.length)

  const created = await createStreams(tx, actor, missing)
  const streams = [...open, ...created]
  const colors = new Map(given.subscriptions.flatMap(({ name, color }) => (color ? [[name, color]] : [])))
  const done = await addSubscriptions(app.config, tx, { organization_id, streams, subscribers, colors })
  const notices = noticesOf({
    caller,
    organization,
    subscribers: isForOthers ? subscribers : [],
    added: done.added,
    created,
    isAnnounced: given.announce,
  })
  await leaveNotices(tx, organization_id, caller, notices)

  const emails = new Map(subscribers.map((each) => [each.id, displayEmail(app.config, each)]))
  return {
    subscribed: namesByEmail(emails, done.added),
    already_subscribed: namesByEmail(emails, done.already),
    ...(!given.authorization_errors_fatal && { unauthorized: closed.map(asGiven) }),
  }
}

/**
 * Returns a private stream that a bot would open for its own owner, or for another bot of theirs, though the owner is not
 * in it: what members let the bot see is not the owner's to take.
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
  const known = await listStreamsOf(tx, owner)
  return streams.find(({ invite_only, id }) => invite_only && !known.has(id))
}

function refuseUnlessMayCreate(
  { role }: Actor,
  organization: OrganizationRow,
  caller: Caller,
  missing: readonly Draft[],
): void {
  if (!decideToCreateStreams(organization, caller).allowed) throw new ApiError('CANNOT_CREATE_STREAMS')
  if (missing.every(({ message_retention_days }) => message_retention_days === null)) return
  if (role !== Role.owner) throw new ApiError('CANNOT_CHOOSE_RETENTION')
  if (organization.plan_type === limitedPlan) throw new ApiError('PLAN_TOO_SMALL')
}

export function refuseUnlessMaySubscribeOthers(
  organization: OrganizationRow,
  caller: Pick<UserRow, 'role' | 'date_joined'>,
): void {
  const { allowed, rule } = decideToSubscribeOthers(organization, caller)
  if (allowed) return
  throw new ApiError(
    rule === 'policy_administrators' ? 'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS' : 'TOO_NEW_TO_SUBSCRIBE_OTHERS',
  )
}

export function refuseTooMany(subscribers: readonly unknown[], streams: readonly unknown[]): void {
  if (subscribers.length * streams.length > mostPairs)
    throw new ApiError('TOO_MANY_SUBSCRIPTIONS', { limit: mostPairs })
}

function namesByEmail(
  emails: ReadonlyMap<Subscriber['id'], string>,
  streams: ReadonlyMap<UserId, StreamRow[]>,
): Record<string, string[]> {
  const entries = [...streams].map(([id, list]) => [emails.get(id), list.map(({ name }) => name)])
  return Object.fromEntries(entries)
}
