import assert from 'node:assert/strict'
import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import { eventually } from './eventually.ts'
import { bySize } from './size.ts'
import type { NodeName } from './test-server.ts'
import type { Person, World } from './world.ts'

export type Registration = ArgumentsOf<typeof api.events.register>

export interface SameStateOptions {
  /**
   * Registrations that each person uses. The first is always used. In the gate (the tests that every
   * change must pass), each of the others is used with the probability `shareOfOthers`.
   */
  registrations?: readonly Registration[]
}

/** Probability that a registration other than the first is used. */
const shareOfOthers = bySize({ gate: 0.3, long: 1 })

const defaultRegistrations: readonly Registration[] = [
  {},
  { include_subscribers: true, client_external_avatar: true },
  { client_capabilities: { user_list_on_demand: true } },
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
  { registrations = defaultRegistrations }: SameStateOptions = {},
): Promise<Record<string, Event[]>> {
  const watches: Watch[] = []
  const versionBefore = await versionOf(world)
  const statesBefore = currentStates(world, versionBefore)
  for (const [name, person] of Object.entries(people)) {
    for (const [index, registration] of registrations.entries()) {
      if (index > 0 && Math.random() > shareOfOthers) continue
      const key = JSON.stringify([person.user_id, registration])
      const { state: before, node: registeredOn } = statesBefore.get(key) ?? {
        state: await person.on(index % 2 === 0 ? 'a' : 'b').events.register(registration),
        node: index % 2 === 0 ? 'a' : 'b',
      }
      // This comparison polls the queue, so no other comparison may use it.
      statesBefore.delete(key)
      // Registers on one node and polls on the other.
      watches.push({ name, person, registration, key, pollOn: registeredOn === 'a' ? 'b' : 'a', before })
    }
  }
  await change()
  const version = await versionOf(world)
  const received: Record<string, Event[]> = {}
  for (const watch of watches) {
    const { events, fresh } = await compare(watch, version.head)
    received[watch.name] ??= events
    currentStates(world, version).set(watch.key, { state: fresh, node: watch.pollOn })
  }
  return received
}

interface Watch {
  name: string
  person: Person
  registration: Registration
  key: string
  pollOn: NodeName
  before: State
}

/** As long as neither number grows, the organization's data does not change. */
interface Version {
  head: number
  writes: number
}

interface KnownStates {
  version: Version
  /**
   * States that were registered at this version, by user and registration. Their queues have not
   * been polled.
   */
  states: Map<string, { state: State; node: NodeName }>
}

/**
 * The state after one change is reused as the state before the next change, because registering
 * takes most of the time.
 */
const knownStates = new WeakMap<World, KnownStates>()

async function versionOf(world: World): Promise<Version> {
  return { head: await waitForSettledHead(world), writes: world.countWrites() }
}

function currentStates(world: World, version: Version): KnownStates['states'] {
  const cached = knownStates.get(world)
  if (cached?.version.head === version.head && cached.version.writes === version.writes) return cached.states
  const states: KnownStates['states'] = new Map()
  // Comparisons may run concurrently, and a slow one must not restore an older version.
  if (!cached || cached.version.head < version.head || cached.version.writes < version.writes)
    knownStates.set(world, { version, states })
  return states
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

async function compare({ name, person, registration, pollOn, before }: Watch, head: number) {
  const client = person.on(pollOn)
  // A node that returns this position has followed the log to its head, so that the queue lacks no event.
  const fresh = await eventually(async () => {
    const state = await client.events.register(registration)
    return state.last_event_id >= head && state
  })
  const events = await drainQueue(client, before)
  const fold = (state: State, more: Event[]) =>
    more.reduce((folded, event) => applyEvent(folded, event, registration), state)
  const once = fold(before, events)
  const description = `${name}, registered with ${JSON.stringify(registration)}, after ${JSON.stringify(events)}`
  assertSame(once, fresh, events, description)
  assertSame(fold(once, events), fresh, events, `${description}, twice`)
  return { events, fresh }
}

/** Compares the states, except for fields that events do not change: see docs/decisions/0009. */
function assertSame(folded: State, fresh: State, events: readonly Event[], description: string): void {
  assert.deepEqual(comparable(folded), comparable(fresh), description)
  assert.ok((folded.max_message_id ?? 0) >= (fresh.max_message_id ?? 0), `max_message_id, ${description}`)
  for (const { stream_id, topic, sender_ids } of fresh.unread_msgs?.streams ?? []) {
    const foldedStream = folded.unread_msgs?.streams.find(
      (entry) => entry.stream_id === stream_id && entry.topic === topic,
    )
    assert.ok(
      new Set(foldedStream?.sender_ids).isSupersetOf(new Set(sender_ids)),
      `sender_ids, ${description}`,
    )
  }
  // No event says which message of a conversation is the newest after a deletion.
  if (events.some(({ type }) => type === 'delete_message')) return
  assert.deepEqual(folded.recent_private_conversations, fresh.recent_private_conversations, description)
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
