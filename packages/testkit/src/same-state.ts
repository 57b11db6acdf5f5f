import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ArgumentsOf, api, Event, Generation, OrganizationId } from '@oxbow/contract'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import { eventually } from './eventually.ts'
import { Dice, testSeed } from './seed.ts'
import { bySize } from './size.ts'
import type { NodeName } from './test-server.ts'
import type { Person, World } from './world.ts'

/** Arguments of `register`, and the generation of the client that follows the queue; the newest by default. */
export type Registration = ArgumentsOf<typeof api.events.register> & { generation?: Generation }

export interface SameStateOptions {
  /**
   * Registrations that each person uses, also as a function of the person's name. The first is always
   * used. In the gate (the tests that every change must pass), each of the others is used with the
   * probability `shareOfOthers`.
   */
  registrations?: readonly Registration[] | ((name: string) => readonly Registration[])
  /**
   * Whether the gate may compare states after some of the changes only, at random, because a
   * registration takes ten times as long as a poll. Events are applied after every change, so a later
   * comparison finds a difference too, unless another event has overwritten the field. The last comparison
   * is before the next write by SQL, or at the end of the world. The people must still be able to call the
   * server then.
   */
  mayDefer?: boolean
  /**
   * Whether all changes between the comparisons have events, or are made by SQL. Then a state is updated
   * by these events instead of being registered again before the next change. `mayDefer` implies this.
   */
  followsOtherChanges?: boolean
}

/** Probability that a registration other than the first is used. */
const shareOfOthers = bySize({ gate: 0.3, long: 1 })
/** Probability of a comparison after a change, if it may be deferred. */
const shareOfComparisons = bySize({ gate: 0.3, long: 1 })
const dice = new Dice(testSeed)
/**
 * Number of changes for which a registration is used or omitted, because the state after one change is
 * reused as the state before the next.
 */
const changesPerChoice = 4

const defaultRegistrations: readonly Registration[] = [
  {},
  { include_subscribers: true, client_external_avatar: true },
  { client_capabilities: { user_list_on_demand: true } },
  { generation: 27 },
]

/**
 * Asserts for every person that the state before the change, with the received events applied,
 * equals the state that is registered after the change, also if all events are applied twice.
 * Returns the events of each person's first queue.
 */
export async function expectSameState(
  world: World,
  people: Readonly<Record<string, Person>>,
  change: () => Promise<unknown>,
  {
    registrations = defaultRegistrations,
    mayDefer = false,
    followsOtherChanges = mayDefer,
  }: SameStateOptions = {},
): Promise<Record<string, Event[]>> {
  const versionBefore = await versionOf(world)
  const watched = Object.entries(people).flatMap(([name, person]) =>
    (typeof registrations === 'function' ? registrations(name) : registrations).flatMap(
      (registration, index) => {
        const node: NodeName = index % 2 === 0 ? 'a' : 'b'
        const candidate = { name, person, registration }
        return index === 0 || isUsed(world, candidate) ? [{ ...candidate, node }] : []
      },
    ),
  )
  const watches = await Promise.all(
    watched.map(
      async ({ node, ...each }) =>
        (await takeWatch(world, each, versionBefore, followsOtherChanges)) ??
        (await register(each, node, versionBefore)),
    ),
  )
  await change()
  const version = await versionOf(world)
  const followed = await Promise.all(
    watches.map((watch) =>
      mayDefer && !dice.isLikely(shareOfComparisons) ? follow(watch, version) : compare(watch, version),
    ),
  )
  const received: Record<string, Event[]> = {}
  for (const { events, next } of followed) {
    received[next.name] ??= events
    watchesOf(world).set(keyOf(next), next)
  }
  return received
}

interface Watched {
  name: string
  person: Person
  registration: Registration
}

/** A state with its queue. It is registered on one node, and its queue is polled on the other. */
interface Watch extends Watched {
  pollOn: NodeName
  /** The registered state with all polled events applied. */
  state: State
  /** Events that were applied since the registration. */
  applied: readonly Event[]
  /** Version up to which the events were polled. */
  version: Version
  /** Whether the state was compared at this version, or registered. */
  isCompared: boolean
}

/** As long as neither number grows, the organization's data does not change. */
interface Version {
  head: number
  writes: number
}

/**
 * The state after one change is reused as the state before the next change, because registering
 * takes most of the time.
 */
const watchesByWorld = new WeakMap<World, Map<string, Watch>>()

function watchesOf(world: World): Map<string, Watch> {
  const known = watchesByWorld.get(world)
  if (known) return known
  const watches = new Map<string, Watch>()
  watchesByWorld.set(world, watches)
  world.beforeWrites(() => compareDeferred(world))
  return watches
}

const choicesByWorld = new WeakMap<World, Map<string, { isUsed: boolean; changesLeft: number }>>()

/** Returns whether a registration other than the first is used for the next change. */
function isUsed(world: World, watched: Watched): boolean {
  const choices = choicesByWorld.get(world) ?? new Map()
  choicesByWorld.set(world, choices)
  const key = keyOf(watched)
  let choice = choices.get(key)
  if (!choice?.changesLeft) choice = { isUsed: dice.isLikely(shareOfOthers), changesLeft: changesPerChoice }
  choice.changesLeft--
  choices.set(key, choice)
  return choice.isUsed
}

const keyOf = ({ person, registration }: Watched) => JSON.stringify([person.user_id, registration])

/**
 * Returns a watch of an earlier change that is still valid, and removes it from the map, because no other
 * comparison may poll its queue. Writes by SQL invalidate it, and without `followsOtherChanges` other
 * changes too.
 */
async function takeWatch(
  world: World,
  watched: Watched,
  version: Version,
  followsOtherChanges: boolean,
): Promise<Watch | undefined> {
  const watches = watchesOf(world)
  const watch = watches.get(keyOf(watched))
  watches.delete(keyOf(watched))
  if (!watch) return undefined
  if (watch.version.writes !== version.writes) {
    assert.ok(watch.isCompared, `a write by SQL prevented a comparison: ${describeWatch(watch)}`)
    return undefined
  }
  if (watch.version.head === version.head) return watch
  if (followsOtherChanges) return (await follow(watch, version)).next
  return watch.isCompared ? undefined : (await compare(watch, version)).next
}

/** Compares all states whose comparison was deferred. */
async function compareDeferred(world: World): Promise<void> {
  const watches = watchesOf(world)
  const deferred = [...watches.values()].filter(({ isCompared }) => !isCompared)
  watches.clear()
  if (deferred.length === 0) return
  const version = await versionOf(world)
  for (const watch of deferred) await compare(watch, version)
}

async function versionOf(world: World): Promise<Version> {
  const version = { head: await waitForSettledHead(world), writes: world.countWrites() }
  // Nodes that have followed the log to its head have all events of the queues.
  for (const { app } of Object.values(world.nodes)) {
    const followed = () => app.events.log.organizations.get(world.organization_id as OrganizationId)
    await eventually(() => (followed()?.position ?? version.head) >= version.head)
  }
  return version
}

/** Waits until every committed event has a number, and returns the highest number of the log. */
export async function waitForSettledHead({ database, organization_id }: World): Promise<number> {
  await eventually(async () => (await database.query('select from outbox limit 1')).length === 0)
  const [head] = await database.query<{ last_seq: number }>(
    'select last_seq::int from event_head where organization_id = $1',
    [organization_id],
  )
  return head?.last_seq ?? 0
}

async function register(watched: Watched, node: NodeName, version: Version): Promise<Watch> {
  // A node that returns this position has followed the log to its head, so that the queue lacks no event.
  const { generation, ...registration } = watched.registration
  const state = await eventually(async () => {
    const registered = await watched.person.on(node, generation).events.register(registration)
    return registered.last_event_id >= version.head && registered
  })
  return { ...watched, pollOn: node === 'a' ? 'b' : 'a', state, applied: [], version, isCompared: true }
}

/** Applies new events to the state, and asserts that applying them twice makes no difference. */
async function follow(watch: Watch, version: Version): Promise<{ events: Event[]; next: Watch }> {
  const { person, registration, pollOn, state } = watch
  const events = await drainQueue(person.on(pollOn), state)
  const fold = (start: State) =>
    events.reduce((folded, event) => applyEvent(folded, event, registration), start)
  const once = fold(state)
  if (events.length > 0)
    assertSame(fold(once), once, events, () => `${describeWatch(watch)}${JSON.stringify(events)}, twice`)
  const next: Watch = {
    ...watch,
    state: { ...once, last_event_id: events.at(-1)?.id ?? state.last_event_id },
    applied: [...watch.applied, ...events],
    version,
    // Also if there were no events, because one may be missing.
    isCompared: false,
  }
  return { events, next }
}

/** Asserts that the state with all events applied equals a fresh state, which later changes use. */
async function compare(watch: Watch, version: Version): Promise<{ events: Event[]; next: Watch }> {
  const fresh = await register(watch, watch.pollOn, version)
  const { events, next } = await follow(watch, version)
  const describe = () => `${describeWatch(watch)}${JSON.stringify(next.applied)}`
  assertSame(next.state, fresh.state, next.applied, describe)
  return { events, next: fresh }
}

const describeWatch = ({ name, registration }: Watched) =>
  `${name}, registered with ${JSON.stringify(registration)}, after `

/**
 * Compares the states, except for fields that events do not change: see docs/decisions/0009. The
 * description is built only for a failure, because it contains all events.
 */
function assertSame(folded: State, fresh: State, events: readonly Event[], describe: () => string): void {
  const [foldedFields, freshFields] = [comparable(folded), comparable(fresh)]
  if (!isDeepStrictEqual(foldedFields, freshFields)) assert.deepEqual(foldedFields, freshFields, describe())
  if ((folded.max_message_id ?? 0) < (fresh.max_message_id ?? 0)) assert.fail(`max_message_id, ${describe()}`)
  const foldedStreams = folded.unread_msgs?.streams
  for (const { stream_id, topic, sender_ids } of fresh.unread_msgs?.streams ?? []) {
    const foldedStream = foldedStreams?.find(
      (entry) => entry.stream_id === stream_id && entry.topic === topic,
    )
    if (!new Set(foldedStream?.sender_ids).isSupersetOf(new Set(sender_ids)))
      assert.fail(`sender_ids, ${describe()}`)
  }
  // No event says which message of a conversation is the newest after a deletion.
  if (events.some(({ type }) => type === 'delete_message')) return
  const [foldedRecent, freshRecent] = [
    folded.recent_private_conversations,
    fresh.recent_private_conversations,
  ]
  if (!isDeepStrictEqual(foldedRecent, freshRecent)) assert.deepEqual(foldedRecent, freshRecent, describe())
}

/** Polls until the node has no more events for the queue, and returns all of them. */
export async function drainQueue(client: Client, { queue_id, last_event_id }: State): Promise<Event[]> {
  const received: Event[] = []
  for (let cursor = last_event_id; ; ) {
    const { events } = await client.events.poll({ queue_id, last_event_id: cursor, dont_block: true })
    const last = events.at(-1)
    if (!last) return received
    received.push(...events)
    cursor = last.id
  }
}

/**
 * Removes the fields of the queue, the address of the node, and the fields that `assertSame`
 * compares separately.
 */
function comparable(state: State): object {
  const { queue_id, last_event_id, realm_uri, max_message_id, recent_private_conversations, ...rest } = state
  if (!rest.unread_msgs) return rest
  const streams = rest.unread_msgs.streams.map(({ sender_ids, ...entry }) => entry)
  return { ...rest, unread_msgs: { ...rest.unread_msgs, streams } }
}
