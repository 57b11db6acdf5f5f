import type { Event } from '@oxbow/contract'
import { openQueue } from '../open-queue.ts'
import type { Registration } from '../same-state.ts'
import type { Person, World } from '../world.ts'

/** People by the names that a test uses in its expectations. */
export type NamedPeople = Readonly<Record<string, Person>>

/**
 * Creates a queue for each person, makes a change, and returns the events of each queue. The queues
 * are read from node b.
 */
export async function collectEvents(
  world: World,
  people: NamedPeople,
  change: () => Promise<unknown>,
  registration: Registration = {},
): Promise<Record<string, Event[]>> {
  await world.settled()
  const queues = await Promise.all(
    Object.entries(people).map(
      async ([name, person]) => [name, await openQueue(person, registration)] as const,
    ),
  )
  await change()
  await world.settled()
  const received = queues.map(async ([name, queue]) => [name, await queue.rest('b')] as const)
  return Object.fromEntries(await Promise.all(received))
}

/** Collects events like `collectEvents`, each as a short text. People without events are omitted. */
export async function collectEventSummaries(
  world: World,
  people: NamedPeople,
  change: () => Promise<unknown>,
): Promise<Record<string, string[]>> {
  const names = new Map(Object.entries(people).map(([name, { user_id }]) => [user_id as number, name]))
  const events = await collectEvents(world, people, change)
  const rows = await world.database.query<{ id: number; name: string }>('select id::int, name from stream')
  const streams = new Map(rows.map(({ id, name }) => [id, name]))
  const summarize = (event: Event) => summarizeEvent(event, names, streams)
  return Object.fromEntries(
    Object.entries(events).flatMap(([name, list]) => (list.length > 0 ? [[name, list.map(summarize)]] : [])),
  )
}

/**
 * Returns a text such as `stream create plans`, `stream update plans name: "goals"`, `add plans` or
 * `peer_add plans iris`.
 */
function summarizeEvent(
  event: Event,
  people: ReadonlyMap<number, string>,
  streams: ReadonlyMap<number, string>,
): string {
  const listed = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  switch (event.type) {
    case 'stream':
      return event.op === 'update'
        ? `stream update ${event.name} ${event.property}: ${JSON.stringify(event.value)}`
        : `stream ${event.op} ${listed(event.streams)}`
    case 'subscription':
      if (event.op === 'add' || event.op === 'remove') return `${event.op} ${listed(event.subscriptions)}`
      if (event.op === 'update') return `update ${event.name} ${event.property}`
      return `${event.op} ${streams.get(event.stream_id)} ${people.get(event.user_id)}`
    case 'default_streams':
      return `default_streams ${listed(event.default_streams)}`
    case 'default_stream_groups':
      return `default_stream_groups ${event.default_stream_groups.map(({ name, streams }) => `${name}(${listed(streams)})`).join(', ')}`
    case 'realm':
      return `realm ${JSON.stringify(event)}`
    default:
      return event.type
  }
}
