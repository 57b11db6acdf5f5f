import type { Client } from '@oxbow/sdk'
import { eventually } from '@oxbow/testkit'

/** Retries a call while PostgreSQL is unreachable, as clients do. */
export async function retryWhileUnreachable<Result extends object | number>(
  call: () => Promise<Result>,
): Promise<Result> {
  return eventually<Result>(() => call().catch(() => undefined), 30_000)
}

export interface MessageQueue {
  queue_id: string
  /** Polls until this message arrives, and returns the ids of all messages up to it. */
  readTo(id: number): Promise<number[]>
  poll(): Promise<unknown>
  /** Returns a queue with the current cursor that uses another node. */
  on(client: Client): MessageQueue
}

/** Opens a queue for messages, and tracks its cursor as a client does. */
export async function openMessageQueue(client: Client): Promise<MessageQueue> {
  const opened = await client.events.register({ fetch_event_types: [], event_types: ['message'] })
  return makeQueue(client, opened.queue_id ?? '', opened.last_event_id ?? -1)
}

function makeQueue(client: Client, queue_id: string, start: number): MessageQueue {
  let cursor = start
  return {
    queue_id,
    async readTo(id) {
      const ids: number[] = []
      while (!ids.includes(id)) {
        const { events } = await retryWhileUnreachable(() =>
          client.events.poll({ queue_id, last_event_id: cursor }),
        )
        cursor = events.at(-1)?.id ?? cursor
        for (const event of events) if (event.type === 'message') ids.push(event.message.id)
      }
      return ids
    },
    poll: () => client.events.poll({ queue_id, last_event_id: cursor, dont_block: true }),
    on: (other) => makeQueue(other, queue_id, cursor),
  }
}

/** Waits until the queue is refused. A node that was ahead of the database notices this with a delay. */
export async function assertQueueRefused(queue: MessageQueue): Promise<void> {
  const expected = `Bad event queue id: ${queue.queue_id}`
  await eventually(() =>
    queue.poll().then(
      () => false,
      ({ message }: Error) => message === expected,
    ),
  )
}
