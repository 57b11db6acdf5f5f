import type { ClientRequest } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { basic } from './http.ts'
import { type Answer, type Call, call, isSurprise } from './keep-alive-call.ts'

export interface LedgerEntry {
  id: number
  /** The event's JSON, as it was received; null for a heartbeat. */
  body: string | null
}

/** What one queue delivered. */
export interface LedgerSection {
  queue_id: string
  /** Everything up to here was in the register's state, or checked before. */
  after: number
  entries: LedgerEntry[]
  /** Ended by BAD_EVENT_QUEUE_ID. */
  isDead: boolean
}

export interface LedgerClientOptions {
  /** Nodes that it may use, the first first. */
  urls: readonly string[]
  account: { user_id: number; email: string; api_key: string }
  event_types: readonly string[]
  /** Asks also for what happens in public streams that the account is not in. */
  all_public_streams?: boolean
  /** Clients that share it keep one copy of an event that all of them received. */
  bodies?: Map<string, string>
  /** How long it waits for an answer before it asks another node: longer than any pause of a fleet that is well. */
  patience?: number
}

export interface LedgerClient extends AsyncDisposable {
  readonly sections: LedgerSection[]
  /** The node it uses now. */
  url(): string
  /** The highest id it received or registered with; undefined while it has no queue. */
  cursor(): number | undefined
  received(): number
  /** The longest time between two events since `forgetPauses`, in milliseconds. */
  longestPause(): number
  forgetPauses(): void
  /** Back to the first of its nodes, when it asks next. */
  goHome(): void
  /** Stands still: polls no more until `release`. */
  hold(): void
  release(): void
  isHeld(): boolean
  /** Leaves out what was checked, up to and with this id. */
  forgetUpTo(id: number): void
  /** Answers that no fault explains. */
  readonly surprises: string[]
  stop(): Promise<void>
}

/** Polls, moves to another node whenever one fails it, and writes down everything it gets. */
export function startLedgerClient({
  urls,
  account,
  event_types,
  all_public_streams = false,
  bodies = new Map(),
  patience = 3_500,
}: LedgerClientOptions): LedgerClient {
  const authorization = basic(account)
  const sections: LedgerSection[] = []
  const surprises: string[] = []
  let place = 0
  let askedPlace = 0
  let received = 0
  let section: LedgerSection | undefined
  let cursor = -1
  let lastArrival = performance.now()
  let longestPause = 0
  let stopped = false
  let underWay: ClientRequest | undefined
  let held: PromiseWithResolvers<void> | undefined

  const url = () => urls[place % urls.length] as string
  const ask = (given: Omit<Call, 'authorization' | 'patience'>) => {
    askedPlace = place
    return call(url(), { ...given, authorization, patience }, (sent) => {
      underWay = sent
      // It may have been told to stop while it was about to ask.
      if (stopped || held) sent.destroy()
    })
  }

  async function openQueue(): Promise<void> {
    const form = {
      event_types: JSON.stringify(event_types),
      fetch_event_types: '[]',
      all_public_streams: String(all_public_streams),
    }
    const answer = await ask({ method: 'POST', path: '/api/v1/register', form })
    if (answer.status !== 200) return refused(answer)
    cursor = answer.body.last_event_id as number
    section = { queue_id: answer.body.queue_id as string, after: cursor, entries: [], isDead: false }
    sections.push(section)
  }

  async function poll(queue: LedgerSection): Promise<void> {
    const query = `queue_id=${encodeURIComponent(queue.queue_id)}&last_event_id=${cursor}`
    const answer = await ask({ path: `/api/v1/events?${query}` })
    if (answer.body.code === 'BAD_EVENT_QUEUE_ID') {
      queue.isDead = true
      section = undefined
    } else if (answer.status === 200) {
      note(queue, answer.body.events as { id: number; type: string }[])
    } else {
      await refused(answer)
    }
  }

  function note(queue: LedgerSection, events: { id: number; type: string }[]): void {
    for (const event of events) {
      const isHeartbeat = event.type === 'heartbeat'
      queue.entries.push({ id: event.id, body: isHeartbeat ? null : keep(JSON.stringify(event)) })
      cursor = event.id
      if (isHeartbeat) continue
      received++
      const now = performance.now()
      longestPause = Math.max(longestPause, now - lastArrival)
      lastArrival = now
    }
  }

  function keep(body: string): string {
    const known = bodies.get(body)
    if (known === undefined) bodies.set(body, body)
    return known ?? body
  }

  async function refused(answer: Answer): Promise<void> {
    if (isSurprise(answer)) surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`)
    await moveOn()
  }

  async function moveOn(): Promise<void> {
    place = askedPlace + 1
    await setTimeout(50 + Math.random() * 100)
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await held?.promise
      try {
        await (section ? poll(section) : openQueue())
      } catch {
        if (!stopped && !held) await moveOn()
      }
    }
  }

  const running = run()
  const client: LedgerClient = {
    sections,
    surprises,
    url,
    cursor: () => (section ? cursor : undefined),
    received: () => received,
    longestPause: () => longestPause,
    forgetPauses() {
      longestPause = 0
      lastArrival = performance.now()
    },
    goHome() {
      place = 0
    },
    hold() {
      held = Promise.withResolvers()
      underWay?.destroy()
    },
    release() {
      held?.resolve()
      held = undefined
      lastArrival = performance.now()
    },
    isHeld: () => held !== undefined,
    forgetUpTo(id) {
      sections.splice(0, sections.length, ...sections.filter((each) => !each.isDead))
      for (const each of sections) {
        each.after = Math.max(each.after, id)
        each.entries = each.entries.filter((entry) => entry.id > id)
      }
    },
    async stop() {
      stopped = true
      client.release()
      underWay?.destroy()
      await running
    },
    [Symbol.asyncDispose]: () => client.stop(),
  }
  return client
}
