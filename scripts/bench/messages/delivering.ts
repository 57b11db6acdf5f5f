import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { startProbedNode, waitForPolls } from '../events/bench-organization.ts'
import { type Figure, median, quantile } from '../figures.ts'
import {
  addStreams,
  type BenchStream,
  createLargeOrganization,
  insertSubscriptions,
} from '../subscriptions/large-organization.ts'
import { Connection } from './connection.ts'

interface Scenario {
  perSecond: number
  /** Number of waiting polls, shared out evenly among the accounts. */
  polls: number
  /** Each message reaches the polls of one stream. */
  streams: number
  accounts: number
}

const scenarios: readonly Scenario[] = [
  { perSecond: 50, polls: 20, streams: 1, accounts: 20 },
  { perSecond: 200, polls: 2_000, streams: 200, accounts: 200 },
]
const seconds = 30
/** Messages of the first seconds are not measured, because the node still compiles code then. */
const warmUpSeconds = 2

/** Measures the time from the start of a send to the response of each waiting poll. */
export async function benchDelivering(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const scenario of scenarios) figures.push(await measure(scenario))
  return figures
}

async function measure({ perSecond, polls, streams: streamCount, accounts }: Scenario): Promise<Figure> {
  await using organization = await createLargeOrganization(0, accounts)
  const { owner } = organization
  const streams = await addStreams(organization, streamCount)
  const subscribers = streams.map((stream, index) => ({
    streams: [stream],
    people: organization.accounts
      .filter((_, number) => number % streamCount === index)
      .map(({ user_id }) => user_id),
  }))
  await insertSubscriptions(organization, ...subscribers)
  await using node = await startProbedNode(organization)
  using sender = new Connection(node.url, owner)
  const arrivals: Arrivals = { sentAt: [], lags: [] }
  const followers: Disposable[] = []
  for (let index = 0; index < polls; index++)
    followers.push(await follow(node.url, organization.accounts[index % accounts] as Account, arrivals))
  await waitForPolls(node, polls)

  const start = performance.now()
  const sends: Promise<unknown>[] = []
  for (let number = 0; number < perSecond * seconds; number++) {
    const content = `Message ${number}: the roses by the south wall want pruning before the frost.`
    const stream = streams[number % streamCount] as BenchStream
    arrivals.sentAt.push(performance.now())
    arrivals.lags.push([])
    sends.push(sender.post('/messages', { type: 'stream', to: String(stream.id), topic: 'roses', content }))
    await setTimeout(Math.max(0, start + ((number + 1) * 1000) / perSecond - performance.now()))
  }
  await Promise.all(sends)
  const reached = polls / streamCount
  await eventually(() => arrivals.lags.every((lags) => lags.length === reached))
  for (const follower of followers) follower[Symbol.dispose]()

  const measured = arrivals.lags.slice(perSecond * warmUpSeconds)
  const lags = measured.flat()
  const last = measured.map((each) => Math.max(...each))
  return {
    label: `(e) start of a send to the answers of ${reached} of ${polls} polls, at ${perSecond} a second`,
    measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms; the last of them median ${median(last).toFixed(1)} ms, p99 ${quantile(last, 0.99).toFixed(1)} ms`,
  }
}

interface Arrivals {
  /** When each send started, by the number in its text. */
  sentAt: number[]
  /** Milliseconds from the start of each send to its arrival at each poll. */
  lags: number[][]
}

/**
 * Starts a client that polls and records the lag of each message. It recognizes a message by the
 * number in its text.
 */
async function follow(url: string, account: Account, { sentAt, lags }: Arrivals): Promise<Disposable> {
  const connection = new Connection(url, account)
  const form = { event_types: '["message"]', fetch_event_types: '[]', queue_lifespan_secs: '3600' }
  const { queue_id, last_event_id } = JSON.parse(await connection.post('/register', form))
  let isStopped = false
  let cursor: number = last_event_id
  const poll = async () => {
    const text = await connection.get('/events', { queue_id, last_event_id: String(cursor) })
    const now = performance.now()
    const { events } = JSON.parse(text) as { events: { id: number; message?: { content: string } }[] }
    for (const { id, message } of events) {
      cursor = id
      const number = Number(/^Message (\d+)/.exec(message?.content ?? '')?.[1])
      lags[number]?.push(now - (sentAt[number] as number))
    }
  }
  const run = async () => {
    while (!isStopped) await poll().catch((error) => isStopped || Promise.reject(error))
  }
  void run()
  return {
    [Symbol.dispose]() {
      isStopped = true
      connection[Symbol.dispose]()
    },
  }
}
