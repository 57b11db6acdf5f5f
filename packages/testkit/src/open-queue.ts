import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import type { Registration } from './same-state.ts'
import type { NodeName } from './test-server.ts'
import type { Person } from './world.ts'

/** A queue with a cursor that can be polled on either node. */
export interface OpenedQueue {
  readonly queue_id: string
  /** Id of the last event that `take` or `rest` returned. */
  cursor(): number
  /** Polls once from the cursor, without moving it. */
  poll(params?: ArgumentsOf<typeof api.events.poll>, node?: NodeName): Promise<Event[]>
  /** Waits for at least `count` events, returns them and moves the cursor. */
  take(count: number, node?: NodeName): Promise<Event[]>
  /** Returns the events that are there now and moves the cursor. */
  rest(node?: NodeName): Promise<Event[]>
}

/** Registers a queue; without the state, unless the registration asks for it. */
export async function openQueue(
  person: Pick<Person, 'on'>,
  registration: Registration = {},
  node: NodeName = 'a',
): Promise<OpenedQueue> {
  const asked = { fetch_event_types: [], ...registration }
  const { queue_id, last_event_id } = await person.on(node).events.register(asked)
  let cursor = last_event_id
  const queue: OpenedQueue = {
    queue_id,
    cursor: () => cursor,
    async poll(params, on = node) {
      const { events } = await person.on(on).events.poll({ queue_id, last_event_id: cursor, ...params })
      return events
    },
    async take(count, on) {
      const taken: Event[] = []
      while (taken.length < count) {
        taken.push(...(await queue.poll({}, on)))
        cursor = taken.at(-1)?.id ?? cursor
      }
      return taken
    },
    async rest(on) {
      const events = await queue.poll({ dont_block: true }, on)
      cursor = events.at(-1)?.id ?? cursor
      return events
    },
  }
  return queue
}
