import type { Event } from '@oxbow/contract'
import { openQueue, type Person, type Registration, type World } from '@oxbow/testkit'

export type Cast = Readonly<Record<string, Person>>

/** The events of each of them, while something is done and nothing else. */
export async function heard(
  world: World,
  cast: Cast,
  change: () => Promise<unknown>,
  registration: Registration = {},
): Promise<Record<string, Event[]>> {
  await world.settled()
  const queues = await Promise.all(
    Object.entries(cast).map(
      async ([name, person]) => [name, await openQueue(person, registration)] as const,
    ),
  )
  await change()
  await world.settled()
  const received = queues.map(async ([name, queue]) => [name, await queue.rest('b')] as const)
  return Object.fromEntries(await Promise.all(received))
}

/** The same, with each event in a few words; who heard nothing is left out. */
export async function heardBriefly(
  world: World,
  cast: Cast,
  change: () => Promise<unknown>,
): Promise<Record<string, string[]>> {
  const names = new Map(Object.entries(cast).map(([name, { user_id }]) => [user_id as number, name]))
  const events = await heard(world, cast, change)
  const streams = await world.database.query<{ id: number; name: string }>('select id::int, name from stream')
  const places = new Map(streams.map(({ id, name }) => [id, name]))
  const brief = (event: Event) => inBrief(event, names, places)
  return Object.fromEntries(
    Object.entries(events).flatMap(([name, list]) => (list.length > 0 ? [[name, list.map(brief)]] : [])),
  )
}

/** `stream create plans`, `stream update plans name: "goals"`, `add plans`, `peer_add plans iris`, `default_streams a, b`. */
function inBrief(
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
