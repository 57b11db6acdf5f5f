import { setImmediate } from 'node:timers/promises'
import { ApiError, type Event } from '@oxbow/contract'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import { createWindows, type OpenWindow, type Windows } from '@oxbow/sdk/windows'
import { highlight, parseQuery } from '@oxbow/search'
import type { NodeName, Person } from '@oxbow/testkit'
import { retryUnavailable } from './retry-unavailable.ts'
import { expectSameWindow } from './same-window.ts'

const registration = {
  apply_markdown: true,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
} as const

/** How a request is delayed: before the server gets it, or before the client gets the response. */
export type Delay = 'none' | 'request' | 'response'

export interface ReaderOptions {
  pageSize: number
  /** The delays of requests, one after the other and again from the beginning. */
  delays: readonly Delay[]
}

/** An account's client with windows, whose requests and events can be delayed. */
export class Reader {
  readonly person: Person
  readonly windows: Windows
  readonly views: OpenWindow[] = []
  state: State
  #cursor: number
  #received: Event[] = []
  #held: (() => void)[] = []
  #calls = 0
  #requests = 0

  constructor(person: Person, state: State, options: ReaderOptions) {
    this.person = person
    this.state = state
    this.#cursor = state.last_event_id
    this.windows = createWindows({
      state,
      fetch: async (request) => {
        const delay = options.delays[this.#requests++ % options.delays.length]
        if (delay === 'request') await this.#wait()
        const page = await this.#call(({ messages }) => messages.list(request))
        if (delay === 'response') await this.#wait()
        return page
      },
      match: async (ids, narrow) =>
        (await this.#call(({ messages }) => messages.matchesNarrow({ msg_ids: [...ids], narrow }))).messages,
      loadSearch: async (text) => {
        const query = parseQuery(text)
        return ({ topic, content }) => highlight([query], { topic, content: '', rendered_content: content })
      },
      limits: { pageSize: options.pageSize, askAfterMs: 0, refreshMs: 1e9 },
    })
  }

  static async start(person: Person, options: ReaderOptions): Promise<Reader> {
    const state = await retryUnavailable(() => person.events.register(registration))
    return new Reader(person, state, options)
  }

  /** Every call goes to the other node. */
  #client(): Client {
    const node: NodeName = this.#calls++ % 2 === 0 ? 'a' : 'b'
    return this.person.on(node)
  }

  #call<Value>(call: (client: Client) => Promise<Value>): Promise<Value> {
    return retryUnavailable(() => call(this.#client()))
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve))
  }

  /** Lets delayed requests go on. */
  release(): void {
    for (const resolve of this.#held.splice(0)) resolve()
  }

  /** Receives what the node has, and applies the first events of it. */
  async poll(count = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#receive()
    for (const event of this.#received.splice(0, count)) {
      this.state = applyEvent(this.state, event, {})
      this.windows.apply(event, this.state)
    }
  }

  async #receive(): Promise<void> {
    const { queue_id } = this.state
    const poll = { queue_id, last_event_id: this.#cursor, dont_block: true }
    try {
      const { events } = await this.#call((client) => client.events.poll(poll))
      this.#received.push(...events)
      this.#cursor = events.at(-1)?.id ?? this.#cursor
    } catch (error) {
      if (!(error instanceof ApiError) || !error.is('BAD_EVENT_QUEUE_ID')) throw error
      this.#received = []
      this.state = await this.#call(({ events }) => events.register(registration))
      this.#cursor = this.state.last_event_id
      this.windows.replaceState(this.state)
    }
  }

  async loseQueue(): Promise<void> {
    const { queue_id } = this.state
    await this.#call(({ events }) => events.deleteQueue({ queue_id }))
  }

  /** Applies all events and waits for all requests. Both nodes must have followed the log. */
  async catchUp(): Promise<void> {
    do {
      await this.poll()
      while (!this.windows.isIdle) {
        this.release()
        await setImmediate()
      }
    } while (this.#received.length > 0)
  }

  /** Asserts that all live windows are as if they were fetched now. Counts windows by outcome. */
  async check(counts: Counts, label: string): Promise<void> {
    for (const view of this.views) {
      const { isStale, isLive, error } = view.current
      if (isStale || error !== undefined || !isLive) {
        counts[error === undefined ? (isStale ? 'stale' : 'notLive') : 'refused']++
        continue
      }
      counts.messages += await this.#call((client) => expectSameWindow(this.windows, view, client, label))
      counts.windows++
    }
  }

  async stop(): Promise<void> {
    this.windows.stop()
    this.release()
    await this.person.events.deleteQueue({ queue_id: this.state.queue_id }).catch(() => undefined)
  }
}

export interface Counts {
  windows: number
  messages: number
  notLive: number
  stale: number
  refused: number
}
