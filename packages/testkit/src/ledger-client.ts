import type { ClientRequest } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Call, type CallResponse, callOverPool, isUnexplainedError } from './call-over-pool.ts'
import { basic } from './http.ts'

export interface LedgerEntry {
  id: number
  /** JSON of the event as received, or null for a heartbeat. */
  body: string | null
}

/** The events that a client received from one queue. */
export interface LedgerSection {
  queue_id: string
  /** The number up to which events were in the registered state or have been checked. */
  after: number
  entries: LedgerEntry[]
  /** Whether a poll was answered with BAD_EVENT_QUEUE_ID. */
  isDead: boolean
}

export interface LedgerClientOptions {
  /** URLs of the nodes. The client starts with the first one. */
  urls: readonly string[]
  account: { user_id: number; email: string; api_key: string }
  event_types: readonly string[]
  /** Whether to receive messages of public streams that the account is not subscribed to. */
  all_public_streams?: boolean
  /** Bodies of received events. Clients that share this map store each body only once. */
  bodies?: Map<string, string>
  /**
   * How long to wait for a response before trying another node. It must be longer than any pause of
   * a healthy fleet.
   */
  timeoutMs?: number
}

export interface LedgerClient extends AsyncDisposable {
  readonly sections: LedgerSection[]
  /** URL of the node that the client currently uses. */
  url(): string
  /** The highest id that was received or registered with. Undefined while the client has no queue. */
  cursor(): number | undefined
  /** Number of events received so far, without heartbeats. */
  received(): number
  /** The longest time between two events since `forgetPauses`, in milliseconds. */
  longestPause(): number
  forgetPauses(): void
  /** Switches to the first node for the next request. */
  useFirstNode(): void
  /** Aborts the current poll, and sends no other until `resume`. */
  pause(): void
  resume(): void
  isPaused(): boolean
  /** Drops dead queues and all entries up to and including this id, which were checked. */
  forgetUpTo(id: number): void
  /** Error responses that no injected fault explains. */
  readonly unexplainedErrors: string[]
  stop(): Promise<void>
}

/** Starts a client that polls, switches to the next node when a request fails, and records every event. */
export function startLedgerClient({
  urls,
  account,
  event_types,
  all_public_streams = false,
  bodies = new Map(),
  timeoutMs = 3_500,
}: LedgerClientOptions): LedgerClient {
  const authorization = basic(account)
  const sections: LedgerSection[] = []
  const unexplainedErrors: string[] = []
  let nodeIndex = 0
  let askedNodeIndex = 0
  let received = 0
  let section: LedgerSection | undefined
  let cursor = -1
  let lastArrival = performance.now()
  let longestPause = 0
  let stopped = false
  let currentRequest: ClientRequest | undefined
  let pausing: PromiseWithResolvers<void> | undefined

  const url = () => urls[nodeIndex % urls.length] as string
  const ask = (callOptions: Omit<Call, 'authorization' | 'timeoutMs'>) => {
    askedNodeIndex = nodeIndex
    return callOverPool(url(), { ...callOptions, authorization, timeoutMs }, (sent) => {
      currentRequest = sent
      // The client may have been stopped or paused just before the request was sent.
      if (stopped || pausing) sent.destroy()
    })
  }

  async function openQueue(): Promise<void> {
    const form = {
      event_types: JSON.stringify(event_types),
      fetch_event_types: '[]',
      all_public_streams: String(all_public_streams),
    }
    const response = await ask({ method: 'POST', path: '/api/v1/register', form })
    if (response.status !== 200) return handleError(response)
    cursor = response.body.last_event_id as number
    section = { queue_id: response.body.queue_id as string, after: cursor, entries: [], isDead: false }
    sections.push(section)
  }

  async function poll(queue: LedgerSection): Promise<void> {
    const query = `queue_id=${encodeURIComponent(queue.queue_id)}&last_event_id=${cursor}`
    const response = await ask({ path: `/api/v1/events?${query}` })
    if (response.body.code === 'BAD_EVENT_QUEUE_ID') {
      queue.isDead = true
      section = undefined
    } else if (response.status === 200) {
      record(queue, response.body.events as { id: number; type: string }[])
    } else {
      await handleError(response)
    }
  }

  function record(queue: LedgerSection, events: { id: number; type: string }[]): void {
    for (const event of events) {
      const isHeartbeat = event.type === 'heartbeat'
      queue.entries.push({ id: event.id, body: isHeartbeat ? null : shareBody(JSON.stringify(event)) })
      cursor = event.id
      if (isHeartbeat) continue
      received++
      const now = performance.now()
      longestPause = Math.max(longestPause, now - lastArrival)
      lastArrival = now
    }
  }

  function shareBody(body: string): string {
    const sharedBody = bodies.get(body)
    if (sharedBody === undefined) bodies.set(body, body)
    return sharedBody ?? body
  }

  async function handleError(response: CallResponse): Promise<void> {
    if (isUnexplainedError(response))
      unexplainedErrors.push(`${response.status} ${JSON.stringify(response.body)}`)
    await useNextNode()
  }

  async function useNextNode(): Promise<void> {
    nodeIndex = askedNodeIndex + 1
    await setTimeout(50 + Math.random() * 100)
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await pausing?.promise
      try {
        await (section ? poll(section) : openQueue())
      } catch {
        if (!stopped && !pausing) await useNextNode()
      }
    }
  }

  const running = run()
  const client: LedgerClient = {
    sections,
    unexplainedErrors,
    url,
    cursor: () => (section ? cursor : undefined),
    received: () => received,
    longestPause: () => longestPause,
    forgetPauses() {
      longestPause = 0
      lastArrival = performance.now()
    },
    useFirstNode() {
      nodeIndex = 0
    },
    pause() {
      pausing = Promise.withResolvers()
      currentRequest?.destroy()
    },
    resume() {
      pausing?.resolve()
      pausing = undefined
      lastArrival = performance.now()
    },
    isPaused: () => pausing !== undefined,
    forgetUpTo(id) {
      sections.splice(0, sections.length, ...sections.filter((section) => !section.isDead))
      for (const section of sections) {
        section.after = Math.max(section.after, id)
        section.entries = section.entries.filter((entry) => entry.id > id)
      }
    },
    async stop() {
      stopped = true
      client.resume()
      currentRequest?.destroy()
      await running
    },
    [Symbol.asyncDispose]: () => client.stop(),
  }
  return client
}
