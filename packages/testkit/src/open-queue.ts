import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import type { Registration } from './same-state.ts'
import type { NodeName } from './test-server.ts'
import type { Person } from './world.ts'

/** A queue with a cursor, which can be polled on either node. */
export interface OpenedQueue {
  readonly queue_id: string
  /** Returns the id of the last event that `take` or `rest` returned. */
  cursor(): number
  /** Polls once from the cursor, without moving it. */
  poll(params?: ArgumentsOf<typeof api.events.poll>, node?: NodeName): Promise<Event[]>
  /** Waits for at least `count` events, returns them and moves the cursor. */
  take(count: number, node?: NodeName): Promise<Event[]>
  /** Returns the events that are available now and moves the cursor. */
  rest(node?: NodeName): Promise<Event[]>
}

/** Registers a queue. The state is not fetched, unless the registration requests it. */
export async function openQueue(
  person: Pick<Person, 'on'>,
  registration: Registration = {},
  node: NodeName = 'a',
): Promise<OpenedQueue> {
  const { generation, ...registrationParams } = { fetch_event_types: [], ...registration }
  const { queue_id, last_event_id } = await person.on(node, generation).events.register(registrationParams)
  let cursor = last_event_id
  const queue: OpenedQueue = {
    queue_id,
    cursor: () => cursor,
    async poll(params, pollNode = node) {
      const { events } = await person.on(pollNode).events.poll({ queue_id, last_event_id: cursor, ...params })
      return events
    },
    async take(count, pollNode) {
      const events: Event[] = []
      while (events.length < count) {
        events.push(...(await queue.poll({}, pollNode)))
        cursor = events.at(-1)?.id ?? cursor
      }
      return events
    },
    async rest(pollNode) {
      const events = await queue.poll({ dont_block: true }, pollNode)
      cursor = events.at(-1)?.id ?? cursor
      return events
    },
  }
  return queue
}
