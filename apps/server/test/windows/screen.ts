import type { State } from '@oxbow/sdk'
import type { Anchor, createWindows, OpenWindow, Term, Windows, WindowsOptions } from '@oxbow/sdk/windows'
import { highlight, parseQuery } from '@oxbow/search'
import { expectSameWindow, type ListMessages } from './same-window.ts'

/** How a request is delayed: before the server gets it, or before the client gets the response. */
export type Delay = 'none' | 'request' | 'response'

/** Windows that are compared with fresh pages. */
export interface TestedWindows {
  createWindows: typeof createWindows
  counts: Counts
  /**
   * Receives a difference from a fresh page. Unless this throws, the history continues without
   * these windows.
   */
  onDifference(error: Error): void
}

type Counts = ReturnType<typeof createCounts>

/** Numbers of compared windows and messages, and of windows that were not compared, by reason. */
export const createCounts = () => ({ windows: 0, messages: 0, notLive: 0, stale: 0, refused: 0 })

export interface ScreenOptions {
  pageSize: number
  /** Delays of requests, in order. After the last one, the first is used again. */
  delays: readonly Delay[]
}

/** Requests of an account, each sent once or repeated until a slow node responds. */
export type Requests = Pick<WindowsOptions, 'fetch' | 'match'>

/** Maximum number of windows that are shown. Beyond it, the oldest is closed. */
const maxViews = 5

const ignore = () => undefined

/** The windows that one client of an account shows. A test can delay their requests. */
export class Screen {
  readonly tested: TestedWindows
  readonly windows: Windows
  readonly #views: OpenWindow[] = []
  readonly #running = new Set<Promise<unknown>>()
  #held: (() => void)[] = []
  #requests = 0
  #nextDelay: Delay | undefined

  constructor(tested: TestedWindows, state: State, requests: Requests, { delays, pageSize }: ScreenOptions) {
    this.tested = tested
    this.windows = tested.createWindows({
      state,
      fetch: async (request) => {
        const delay = this.#nextDelay ?? delays[this.#requests++ % delays.length]
        this.#nextDelay = undefined
        if (delay === 'request') await this.#wait()
        const page = await this.#track(requests.fetch(request))
        if (delay === 'response') await this.#wait()
        return page
      },
      match: (ids, narrow) => this.#track(requests.match(ids, narrow)),
      loadSearch: async (text) => {
        const query = parseQuery(text)
        return ({ topic, content }) => highlight([query], { topic, content: '', rendered_content: content })
      },
      limits: { pageSize, askAfterMs: 0, refreshMs: 1e9 },
    })
  }

  #track<Value>(request: Promise<Value>): Promise<Value> {
    const settled: Promise<unknown> = request.then(ignore, ignore).then(() => this.#running.delete(settled))
    this.#running.add(settled)
    return request
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve))
  }

  open(terms: readonly Term[], anchor: Anchor): void {
    this.#views.push(this.windows.open(terms, anchor))
    if (this.#views.length > maxViews) this.#views.shift()?.close()
  }

  /** Returns one of the shown windows. */
  view(index: number): OpenWindow | undefined {
    return this.#views[index % Math.max(this.#views.length, 1)]
  }

  close(index: number): void {
    const view = this.view(index)
    if (!view) return
    this.#views.splice(this.#views.indexOf(view), 1)
    view.close()
  }

  /**
   * Calls `act` and delays the request that it sends, if any. With `response`, waits until
   * the server has responded; otherwise does not wait for the request.
   */
  async withDelay(delay: Delay | undefined, act: () => Promise<void> | void | undefined): Promise<void> {
    this.#nextDelay = delay
    act()?.catch(ignore)
    this.#nextDelay = undefined
    if (delay === 'response') await Promise.all(this.#running)
  }

  /** Lets delayed requests continue. */
  release(): void {
    for (const resolve of this.#held.splice(0)) resolve()
  }

  /** Waits until no request is in flight or planned. */
  async settle(): Promise<void> {
    while (!this.windows.isIdle) {
      this.release()
      await new Promise(setImmediate)
      await Promise.all(this.#running)
    }
  }

  /** Asserts that all live windows equal windows fetched now, and counts windows by outcome. */
  async check(list: ListMessages, label: string): Promise<void> {
    const { counts } = this.tested
    for (const view of this.#views) {
      const { isStale, isLive, error } = view.current
      if (isStale || error !== undefined || !isLive) {
        counts[error === undefined ? (isStale ? 'stale' : 'notLive') : 'refused']++
        continue
      }
      counts.messages += await expectSameWindow(this.windows, view, list, label)
      counts.windows++
    }
  }

  stop(): void {
    this.windows.stop()
    this.release()
  }
}
