import { type OrganizationId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import type { Emission, GuestAudience } from '../../events/record.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueueAll, job } from '../../platform/jobs/jobs.ts'
import { findGuestAudiences, lockSeen } from './emit-about.ts'
import { getRole } from './queries.ts'
import { filterSeen, limitsGuests } from './sight.ts'

/** People whose appearance or disappearance one transaction tells of; a job tells of the others. */
const maxPeople = 1_000
/** Pairs of guest and person that one transaction compares. */
const maxPairs = 20_000
const noId = 0 as UserId
/** A person has at most 20 reports of presence, of two times each. */
const presencesPerPerson = 40

/** Users who began or ended their subscription to a stream in this transaction. */
export interface Movers {
  stream: StreamId
  users: readonly { id: UserId; role: Role }[]
}

/**
 * Emits whom the guests of these streams see from now on, because users were subscribed. The streams must be
 * locked.
 */
export async function emitSightGained(
  tx: Tx,
  organization_id: OrganizationId,
  moves: readonly Movers[],
): Promise<void> {
  if (!(await limitsGuests(tx, organization_id))) return
  for (const { stream, users } of moves) {
    if (!(await hasGuest(tx, organization_id, stream))) continue
    const appeared = users.slice(0, maxPeople).map(({ id }) => id)
    await lockSeen(tx, organization_id, appeared)
    emitAppeared(tx, organization_id, appeared, { streams: [stream] })
    if (users.length > maxPeople) await compareLater(tx, [{ organization_id, stream, after: noId }])
    await emitMembersToGuests(tx, organization_id, stream, listGuests(users))
  }
}

/** Emits the subscribers of a stream to guests who are new in it. */
async function emitMembersToGuests(
  tx: Tx,
  organization_id: OrganizationId,
  stream: StreamId,
  guests: readonly UserId[],
): Promise<void> {
  if (guests.length === 0) return
  const members = await listSubscribers(tx, organization_id, stream)
  await lockSeen(tx, organization_id, members)
  emitAppeared(tx, organization_id, members, { users: guests })
  const after = members.at(-1)
  if (members.length < maxPeople || after === undefined) return
  await compareLater(
    tx,
    guests.map((guest) => ({ organization_id, guest, stream, after })),
  )
}

/**
 * Emits whom guests no longer see, because users were unsubscribed from these streams. The streams must be
 * locked.
 */
export async function emitSightLost(
  tx: Tx,
  organization_id: OrganizationId,
  moves: readonly Movers[],
): Promise<void> {
  if (!(await limitsGuests(tx, organization_id))) return
  for (const { stream, users } of moves) {
    if (await hasGuest(tx, organization_id, stream)) {
      const lost = users.slice(0, maxPeople).map(({ id }) => id)
      await emitHidden(tx, organization_id, lost, stream)
      if (users.length > maxPeople) await compareLater(tx, [{ organization_id, stream, after: noId }])
    }
    await compareOrEnqueue(tx, organization_id, listGuests(users), stream)
  }
}

const listGuests = (users: Movers['users']): UserId[] =>
  users.filter(({ role }) => role === Role.guest).map(({ id }) => id)

/**
 * Emits whom these accounts see and do not see after a change of their roles, or of the setting that limits
 * the sight of guests. The role lock must be held exclusively.
 */
export async function emitSightOfAccounts(
  tx: Tx,
  organization_id: OrganizationId,
  accounts: readonly UserId[],
): Promise<void> {
  if (await limitsGuests(tx, organization_id)) await compareOrEnqueue(tx, organization_id, accounts)
}

/**
 * Emits whom all guests see after the setting was changed. The role lock must be held exclusively.
 */
export async function emitSightOfGuests(tx: Tx, organization_id: OrganizationId): Promise<void> {
  await compareBatch(tx, { organization_id, after: noId })
}

/** A comparison of what guests see with the database, for accounts with ids above `after`. */
interface Comparison {
  organization_id: OrganizationId
  /** The account that is told; all guests if absent. */
  guest?: UserId
  /** Compares only accounts that were ever subscribed to this stream. */
  stream?: StreamId
  after: UserId
}

/**
 * Tells guests of the accounts that they see and do not see, 1,000 per transaction. Clients that know it
 * already ignore it, so the job may run twice.
 */
export const compareSight = job<Comparison>({
  name: 'compare_sight',
  run: (app, comparison) => compareInBatches(app, comparison),
})

async function compareInBatches(app: App, comparison: Comparison): Promise<void> {
  let after: UserId | undefined = comparison.after
  while (after !== undefined) {
    const batch: Comparison = { ...comparison, after }
    after = await inTransaction(app.db, async (tx) => {
      await lockRoles(tx, comparison.organization_id, 'shared')
      return tellBatch(tx, batch, 'everything')
    })
  }
}

const compareLater = (tx: Tx, comparisons: readonly Comparison[]): Promise<void> =>
  comparisons.length > 0 ? enqueueAll(tx, compareSight, comparisons) : Promise.resolve()

/** Compares the first batch at once, and the others in a job. */
async function compareBatch(tx: Tx, comparison: Comparison): Promise<void> {
  const after = await tellBatch(tx, comparison, 'differences')
  if (after !== undefined) await compareLater(tx, [{ ...comparison, after }])
}

/** Compares the first batch of each account at once if they are few. */
async function compareOrEnqueue(
  tx: Tx,
  organization_id: OrganizationId,
  accounts: readonly UserId[],
  stream?: StreamId,
): Promise<void> {
  const comparisons = accounts.map((guest) => ({
    organization_id,
    guest,
    ...(stream !== undefined && { stream }),
    after: noId,
  }))
  if (accounts.length * maxPeople > maxPairs) await compareLater(tx, comparisons)
  else for (const comparison of comparisons) await compareBatch(tx, comparison)
}

/** Tells of one batch. Returns the last id of the batch; undefined if it was the last batch. */
async function tellBatch(
  tx: Tx,
  { organization_id, guest, stream, after }: Comparison,
  tells: 'differences' | 'everything',
): Promise<UserId | undefined> {
  const people = await listCompared(tx, organization_id, stream, after)
  await lockSeen(tx, organization_id, people)
  if (guest === undefined) await tellGuests(tx, organization_id, stream, people)
  else await tellOne(tx, { organization_id, guest, people }, tells)
  return people.length === maxPeople ? people.at(-1) : undefined
}

/** Tells all guests, or those of a stream, who of these people they see. */
async function tellGuests(
  tx: Tx,
  organization_id: OrganizationId,
  stream: StreamId | undefined,
  people: readonly UserId[],
): Promise<void> {
  await emitHidden(tx, organization_id, people, stream)
  if (stream !== undefined) {
    const subscribed = await filterSubscribers(tx, organization_id, stream, people)
    emitAppeared(tx, organization_id, subscribed, { streams: [stream] })
  } else if (!(await limitsGuests(tx, organization_id)))
    emitAppeared(tx, organization_id, people, { inverted: true })
}

/** Tells one account who of these people it sees. With `differences`, a guest has seen all of them before. */
async function tellOne(
  tx: Tx,
  {
    organization_id,
    guest,
    people,
  }: { organization_id: OrganizationId; guest: UserId; people: readonly UserId[] },
  tells: 'differences' | 'everything',
): Promise<void> {
  const role = await getRole(tx, { organization_id, user_id: guest })
  const seen = await filterSeen(tx, { organization_id, user_id: guest, role }, people)
  const to = { users: [guest] }
  emitDisappeared(
    tx,
    organization_id,
    people.filter((id) => !seen.has(id)),
    to,
  )
  if (role === Role.guest && tells === 'differences') return
  emitAppeared(
    tx,
    organization_id,
    people.filter((id) => seen.has(id)),
    to,
  )
}

/** Emits to the guests who do not see these people, of one stream or all, that they do not. */
async function emitHidden(
  tx: Tx,
  organization_id: OrganizationId,
  people: readonly UserId[],
  within: StreamId | undefined,
): Promise<void> {
  const audiences = await findGuestAudiences(tx, organization_id, people)
  for (const [index, audience] of audiences.entries())
    emitDisappeared(tx, organization_id, [people[index] as UserId], {
      ...audience,
      inverted: true,
      ...(within !== undefined && { within }),
    })
}

/**
 * Emits the people, with their status and presence, which are read when the events are delivered: later
 * changes have events of their own.
 */
function emitAppeared(
  tx: Tx,
  organization_id: OrganizationId,
  appeared: readonly UserId[],
  guests: GuestAudience,
): void {
  if (appeared.length === 0) return
  const tell = (type: string, eventCount: number): Emission => ({
    organization_id,
    event: { type, appeared },
    to: { guests },
    eventCount,
  })
  // Deactivated users take two events.
  emit(tx, tell('realm_user', appeared.length * 2))
  emit(tx, tell('user_status', appeared.length))
  emit(tx, tell('presence', appeared.length * presencesPerPerson))
}

function emitDisappeared(
  tx: Tx,
  organization_id: OrganizationId,
  disappeared: readonly UserId[],
  guests: GuestAudience,
): void {
  if (disappeared.length === 0) return
  const event = { type: 'realm_user', disappeared }
  emit(tx, { organization_id, event, to: { guests }, eventCount: disappeared.length })
}

async function hasGuest(db: Db, organization_id: OrganizationId, stream: StreamId): Promise<boolean> {
  const { rows } = await sql`
    select from user_account u
    join subscription s on s.organization_id = u.organization_id and s.user_id = u.id
    where u.organization_id = ${organization_id} and u.role = ${sql.lit(Role.guest)}
      and s.stream_id = ${stream} and s.is_active
    limit 1`.execute(db)
  return rows.length > 0
}

/** Lists the first subscribers of a stream, by id. */
async function listSubscribers(db: Db, organization_id: OrganizationId, stream: StreamId): Promise<UserId[]> {
  return listIds(
    db,
    sql`
    select user_id as id from subscription
    where organization_id = ${organization_id} and stream_id = ${stream} and is_active
    order by user_id limit ${maxPeople}`,
  )
}

async function filterSubscribers(
  db: Db,
  organization_id: OrganizationId,
  stream: StreamId,
  people: readonly UserId[],
): Promise<UserId[]> {
  return listIds(
    db,
    sql`
    select user_id as id from subscription
    where organization_id = ${organization_id} and stream_id = ${stream} and is_active
      and user_id = any(${people}::bigint[]) order by user_id`,
  )
}

/** Lists the next accounts to compare: of the organization, or of everyone who was ever subscribed. */
async function listCompared(
  db: Db,
  organization_id: OrganizationId,
  stream: StreamId | undefined,
  after: UserId,
): Promise<UserId[]> {
  return listIds(
    db,
    stream === undefined
      ? sql`select id from user_account where organization_id = ${organization_id} and id > ${after}
          order by id limit ${maxPeople}`
      : sql`select distinct user_id as id from subscription_period
          where organization_id = ${organization_id} and stream_id = ${stream} and user_id > ${after}
          order by user_id limit ${maxPeople}`,
  )
}

async function listIds(db: Db, query: RawBuilder<unknown>): Promise<UserId[]> {
  const { rows } = await (query as RawBuilder<{ id: UserId }>).execute(db)
  return rows.map(({ id }) => id)
}
