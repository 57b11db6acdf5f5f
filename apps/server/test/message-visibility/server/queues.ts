import type { Event } from '@oxbow/contract'
import { type OpenedQueue, openQueue, type Registration } from '@oxbow/testkit'
import { type Model, type Name, names, type Stream } from '../model/model.ts'
import type { TestedServer } from './tested-server.ts'

/** Options of a queue. */
export interface QueueOptions {
  allPublic?: true
  /** Limits new messages to this narrow. */
  narrow?: { stream: string } | { topic: string } | { is: 'private' | 'mentioned' | 'unread' }
}

export interface Watch {
  name: Name
  options: QueueOptions
  queue: OpenedQueue
}

/** Several queues with different options for each user. */
export class Queues {
  readonly #server: TestedServer
  readonly #watches = new Map<Name, Watch[]>()

  constructor(server: TestedServer) {
    this.#server = server
  }

  /** Removes the queues of a deactivated user, which ended with the account. */
  forget(name: Name): void {
    this.#watches.delete(name)
  }

  async open(model: Model): Promise<void> {
    const silent = names.filter((name) => model.accounts[name].isActive && !this.#watches.has(name))
    await Promise.all(silent.map(async (name) => this.#watches.set(name, await this.#openFor(name, model))))
  }

  async #openFor(name: Name, model: Model): Promise<Watch[]> {
    const position = names.indexOf(name)
    const requests: QueueOptions[] = [
      {},
      { allPublic: true },
      { narrow: narrowFor(position, [...model.streams.values()]) },
    ]
    return Promise.all(
      requests.map(async (options, index) => {
        const node = (position + index) % 2 === 0 ? 'a' : 'b'
        const queue = await openQueue(this.#server.people[name], registrationOf(options), node)
        return { name, options, queue }
      }),
    )
  }

  /** Returns the new events of each queue, read from a node other than the one that registered it. */
  async take(): Promise<{ watch: Watch; events: Event[] }[]> {
    const all = [...this.#watches.values()].flat()
    return Promise.all(
      all.map(async (watch, index) => ({ watch, events: await watch.queue.rest(index % 2 ? 'a' : 'b') })),
    )
  }
}

function narrowFor(position: number, streams: readonly Stream[]): NonNullable<QueueOptions['narrow']> {
  const kinds: NonNullable<QueueOptions['narrow']>[] = [
    { is: 'mentioned' },
    { is: 'unread' },
    { topic: 'Moles' },
    { is: 'private' },
    ...streams.map(({ name: stream }) => ({ stream })),
  ]
  return kinds[position % kinds.length] as NonNullable<QueueOptions['narrow']>
}

function registrationOf({ allPublic, narrow }: QueueOptions): Registration {
  return {
    event_types: ['message', 'update_message', 'delete_message', 'reaction', 'submessage'],
    ...(allPublic && { all_public_streams: true, client_capabilities: { bulk_message_deletion: true } }),
    ...(narrow && { narrow: [pairOf(narrow)] }),
  }
}

function pairOf(narrow: NonNullable<QueueOptions['narrow']>): [string, string] {
  if ('stream' in narrow) return ['stream', narrow.stream]
  return 'topic' in narrow ? ['topic', narrow.topic] : ['is', narrow.is]
}
