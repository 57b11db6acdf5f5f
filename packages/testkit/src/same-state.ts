import assert from 'node:assert/strict'
import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import { eventually } from './eventually.ts'
import { bySize } from './size.ts'
import type { NodeName } from './test-server.ts'
import type { Person, World } from './world.ts'

export type Registration = ArgumentsOf<typeof api.events.register>

export interface SameStateOptions {
  /** Each person registers once for each of these; in the gate for the first and for some of the others. */
  registrations?: readonly Registration[]
}

/** Others in every run. */
const shareOfOthers = bySize({ gate: 0.3, long: 1 })

const usual: readonly Registration[] = [{}, { include_subscribers: true, client_external_avatar: true }]

/**
 * For everyone here: the state before the change, with the events that came, is the state that one gets afterwards,
 * also when all events are applied twice. Returns the events of each person's first queue.
 */
export async function expectSameState(
  world: World,
  people: Readonly<Record<string, Person>>,
  change: () => Promise<unknown>,
  { registrations = usual }: SameStateOptions = {},
): Promise<Record<string, Event[]>> {
  const watches: Watch[] = []
  const versionBefore = await versionOf(world)
  const known = currentStates(world, versionBefore)
  for (const [name, person] of Object.entries(people)) {
    for (const [index, asked] of registrations.entries()) {
      if (index > 0 && Math.random() > shareOfOthers) continue
      const key = JSON.stringify([person.user_id, asked])
      const { state: before, node: here } = known.get(key) ?? {
        state: await person.on(index % 2 === 0 ? 'a' : 'b').events.register(asked),
        node: index % 2 === 0 ? 'a' : 'b',
      }
      // Nobody else goes on with this queue.
      known.delete(key)
      // Register at one node, poll at the other.
      watches.push({ name, person, asked, key, there: here === 'a' ? 'b' : 'a', before })
    }
  }
  await change()
  const version = await versionOf(world)
  const received: Record<string, Event[]> = {}
  for (const watch of watches) {
    const { events, fresh } = await compare(watch, version.head)
    received[watch.name] ??= events
    currentStates(world, version).set(watch.key, { state: fresh, node: watch.there })
  }
  return received
}

interface Watch {
  name: string
  person: Person
  asked: Registration
  key: string
  there: NodeName
  before: State
}

/** While neither number grows, nothing of an organization changes. */
interface Version {
  head: number
  writes: number
}

interface KnownStates {
  version: Version
  /** Registered at this version, by user and registration, with queues that have not been polled. */
  states: Map<string, { state: State; node: NodeName }>
}

/** The state after one change is the state before the next: registering is most of what these tests do. */
const knownStates = new WeakMap<World, KnownStates>()

async function versionOf(world: World): Promise<Version> {
  return { head: await settledHead(world), writes: world.countWrites() }
}

function currentStates(world: World, version: Version): KnownStates['states'] {
  const known = knownStates.get(world)
  if (known?.version.head === version.head && known.version.writes === version.writes) return known.states
  const states: KnownStates['states'] = new Map()
  // Several comparisons may run side by side, and the slowest one must not bring back an older version.
  if (!known || known.version.head < version.head || known.version.writes < version.writes)
    knownStates.set(world, { version, states })
  return states
}

/** The newest number of the log, once everything that was committed has one. */
export async function settledHead({ database, organization_id }: World): Promise<number> {
  await eventually(async () => (await database.query('select from outbox limit 1')).length === 0)
  const [head] = await database.query<{ last_seq: number }>(
    'select last_seq::int from event_head where organization_id = $1',
    [organization_id],
  )
  return head?.last_seq ?? 0
}

async function compare({ name, person, asked, there, before }: Watch, head: number) {
  const client = person.on(there)
  // A node that answers with this position has read the log so far: what it has not for the queue now, it never will.
  const fresh = await eventually(async () => {
    const state = await client.events.register(asked)
    return state.last_event_id >= head && state
  })
  const events = await drainQueue(client, before)
  const fold = (state: State, more: Event[]) =>
    more.reduce((folded, event) => applyEvent(folded, event, asked), state)
  const once = fold(before, events)
  const who = `${name}, registered with ${JSON.stringify(asked)}, after ${JSON.stringify(events)}`
  assertSame(once, fresh, events, who)
  assertSame(fold(once, events), fresh, events, `${who}, twice`)
  return { events, fresh }
}

/** All of it, but for the little that events do not tell: see docs/decisions/0009. */
function assertSame(folded: State, fresh: State, events: readonly Event[], who: string): void {
  assert.deepEqual(comparable(folded), comparable(fresh), who)
  assert.ok((folded.max_message_id ?? 0) >= (fresh.max_message_id ?? 0), `max_message_id, ${who}`)
  for (const { stream_id, topic, sender_ids } of fresh.unread_msgs?.streams ?? []) {
    const same = folded.unread_msgs?.streams.find(
      (entry) => entry.stream_id === stream_id && entry.topic === topic,
    )
    assert.ok(new Set(same?.sender_ids).isSupersetOf(new Set(sender_ids)), `sender_ids, ${who}`)
  }
  // Which message of a conversation is the newest after one is deleted, nobody says.
  if (events.some(({ type }) => type === 'delete_message')) return
  assert.deepEqual(folded.recent_private_conversations, fresh.recent_private_conversations, who)
}

/** All events that a node has for the queue now. */
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

/** Without what belongs to the queue, the address of the node that answered, and what `assertSame` looks at by itself. */
function comparable(state: State): object {
  const { queue_id, last_event_id, realm_uri, max_message_id, recent_private_conversations, ...rest } = state
  if (!rest.unread_msgs) return rest
  const streams = rest.unread_msgs.streams.map(({ sender_ids, ...entry }) => entry)
  return { ...rest, unread_msgs: { ...rest.unread_msgs, streams } }
}
