import { AssertionError } from 'node:assert'
import { ApiError, type Event } from '@oxbow/contract'
import { applyEvent, type Client, type State } from '@oxbow/sdk'
import type { PageRequest } from '@oxbow/sdk/windows'
import type { NodeName, Person } from '@oxbow/testkit'
import { cutPage } from './cut-page.ts'
import { retryReading } from './retry-unavailable.ts'
import type { ListMessages } from './same-window.ts'
import type { ReaderName } from './scene.ts'
import { type Requests, Screen, type ScreenOptions, type TestedWindows } from './screen.ts'

const registration = {
  apply_markdown: true,
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
} as const

export interface ReaderOptions extends ScreenOptions {
  /** Maximum numbers of messages on the pages, in order. After the last one, the first is used again. */
  maxMessages: readonly number[]
}

/** An account that follows its events and shows messages on one screen for each of the tested windows. */
export class Reader {
  readonly name: ReaderName
  readonly person: Person
  screens: readonly Screen[]
  #state: State
  #cursor: number
  #received: Event[] = []
  #calls = 0
  readonly #maxMessages: readonly number[]
  #pages = 0
  /** Requests of screens that were sent at this moment. */
  readonly #sent = new Map<string, Promise<unknown>>()

  constructor(
    name: ReaderName,
    person: Person,
    state: State,
    tested: readonly TestedWindows[],
    options: ReaderOptions,
  ) {
    this.name = name
    this.#maxMessages = options.maxMessages
    this.person = person
    this.#state = state
    this.#cursor = state.last_event_id
    const requests: Requests = {
      fetch: (page) => this.#shareResponse(page, () => this.#listForScreens(page)),
      match: async (ids, narrow) => {
        const request = { msg_ids: [...ids], narrow }
        const match = () => this.#call(({ messages }) => messages.matchesNarrow(request))
        return (await this.#shareResponse(request, match)).messages
      },
    }
    this.screens = tested.map((windows) => new Screen(windows, state, requests, options))
  }

  static async start(
    name: ReaderName,
    person: Person,
    tested: readonly TestedWindows[],
    options: ReaderOptions,
  ): Promise<Reader> {
    const state = await retryReading(() => person.events.register(registration))
    return new Reader(name, person, state, tested, options)
  }

  /** Returns a client. Nodes alternate from call to call. */
  #client(): Client {
    const node: NodeName = this.#calls++ % 2 === 0 ? 'a' : 'b'
    return this.person.on(node)
  }

  #call<Value>(call: (client: Client) => Promise<Value>): Promise<Value> {
    return retryReading(() => call(this.#client()))
  }

  /**
   * Sends a request of a screen. If several screens send the same request at the same moment, sends it once,
   * and each gets a copy of the response. A request that is sent only a little later is not shared, because
   * events may have been applied in between.
   */
  async #shareResponse<Value>(request: object, send: () => Promise<Value>): Promise<Value> {
    if (this.screens.length === 1) return send()
    const key = JSON.stringify(request)
    let response = this.#sent.get(key) as Promise<Value> | undefined
    if (!response) {
      response = send()
      this.#sent.set(key, response)
      // Runs before the next event of the event loop.
      process.nextTick(() => this.#sent.delete(key))
    }
    return structuredClone(await response)
  }

  readonly #list: ListMessages = (page) => this.#call(({ messages }) => messages.list(page))

  /** Lists a page for screens, which is cut as if its messages were very large. */
  async #listForScreens(page: PageRequest): Promise<Awaited<ReturnType<ListMessages>>> {
    const max = this.#maxMessages[this.#pages++ % this.#maxMessages.length] as number
    return cutPage(await this.#list(page), max)
  }

  /** Receives all available events, and applies the first `count` of them. */
  async poll(count = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#receive()
    for (const event of this.#received.splice(0, count)) {
      this.#state = applyEvent(this.#state, event, {})
      for (const { windows } of this.screens) windows.apply(event, this.#state)
    }
  }

  async #receive(): Promise<void> {
    const { queue_id } = this.#state
    const poll = { queue_id, last_event_id: this.#cursor, dont_block: true }
    try {
      const { events } = await this.#call((client) => client.events.poll(poll))
      this.#received.push(...events)
      this.#cursor = events.at(-1)?.id ?? this.#cursor
    } catch (error) {
      if (!(error instanceof ApiError) || !error.is('BAD_EVENT_QUEUE_ID')) throw error
      this.#received = []
      this.#state = await this.#call(({ events }) => events.register(registration))
      this.#cursor = this.#state.last_event_id
      for (const { windows } of this.screens) windows.replaceState(this.#state)
    }
  }

  async loseQueue(): Promise<void> {
    const { queue_id } = this.#state
    await this.#call(({ events }) => events.deleteQueue({ queue_id }))
  }

  /** Applies all events and waits for all requests. Both nodes must have caught up with the log. */
  async catchUp(): Promise<void> {
    do {
      await this.poll()
      await Promise.all(this.screens.map((screen) => screen.settle()))
    } while (this.#received.length > 0)
  }

  /** Compares the windows of all screens with fresh pages, and returns those that differ. */
  async listDifferent(label: string): Promise<TestedWindows[]> {
    // Nothing changes during the comparison, so all screens are compared with the same pages.
    const pages = new Map<string, ReturnType<ListMessages>>()
    const list: ListMessages = (page) => {
      const key = JSON.stringify(page)
      const found = pages.get(key) ?? this.#list(page)
      pages.set(key, found)
      return found
    }
    const different: TestedWindows[] = []
    for (const screen of this.screens) {
      try {
        await screen.check(list, `${this.name}, ${label}`)
      } catch (error) {
        if (!(error instanceof AssertionError)) throw error
        screen.tested.onDifference(error)
        different.push(screen.tested)
      }
    }
    return different
  }

  /** Stops these windows, which are no longer compared. */
  remove(tested: readonly TestedWindows[]): void {
    const isRemoved = (screen: Screen) => tested.includes(screen.tested)
    for (const screen of this.screens.filter(isRemoved)) screen.stop()
    this.screens = this.screens.filter((screen) => !isRemoved(screen))
  }

  async stop(): Promise<void> {
    for (const screen of this.screens) screen.stop()
    await this.person.events.deleteQueue({ queue_id: this.#state.queue_id }).catch(() => undefined)
  }
}
