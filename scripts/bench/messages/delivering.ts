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

const perSecond = 50
const seconds = 30
const watchers = 20
/** Number of first messages that are not measured, because the node still compiles code then. */
const warmUpMessages = perSecond * 2

/** Measures the time from the start of a send to the response of each waiting poll. */
export async function benchDelivering(): Promise<Figure[]> {
  await using organization = await createLargeOrganization(0)
  const { owner, members } = organization
  const [stream] = (await addStreams(organization, 1)) as [BenchStream]
  const everyone = [owner, ...members]
  await insertSubscriptions(organization, {
    streams: [stream],
    people: everyone.map(({ user_id }) => user_id),
  })
  await using node = await startProbedNode(organization)
  using sender = new Connection(node.url, owner)
  const sentAt: number[] = []
  const followers = await Promise.all(
    Array.from({ length: watchers }, (_, index) =>
      follow(node.url, everyone[index % everyone.length] as Account, sentAt),
    ),
  )
  await waitForPolls(node, watchers)

  const start = performance.now()
  const sends: Promise<unknown>[] = []
  for (let number = 0; number < perSecond * seconds; number++) {
    const content = `Message ${number}: the roses by the south wall want pruning before the frost.`
    sentAt.push(performance.now())
    sends.push(sender.post('/messages', { type: 'stream', to: String(stream.id), topic: 'roses', content }))
    await setTimeout(Math.max(0, start + ((number + 1) * 1000) / perSecond - performance.now()))
  }
  await Promise.all(sends)
  await eventually(() => followers.every(({ lags }) => lags.length === sentAt.length))
  for (const follower of followers) follower[Symbol.dispose]()

  const lags = followers.flatMap((follower) => follower.lags.slice(warmUpMessages))
  const last = sentAt
    .map((_, number) => Math.max(...followers.map((follower) => follower.lags[number] ?? 0)))
    .slice(warmUpMessages)
  return [
    {
      label: `(e) start of a send to the answer of ${watchers} polls, at ${perSecond} a second`,
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms; the last of them median ${median(last).toFixed(1)} ms, p99 ${quantile(last, 0.99).toFixed(1)} ms`,
    },
  ]
}

interface Follower extends Disposable {
  /** Time from the start of each send to its arrival, in milliseconds. */
  lags: number[]
}

/**
 * Starts a client that polls and records the lag of each message. It recognizes a message by the
 * number in its text.
 */
async function follow(url: string, account: Account, sentAt: readonly number[]): Promise<Follower> {
  const connection = new Connection(url, account)
  const form = { event_types: '["message"]', fetch_event_types: '[]', queue_lifespan_secs: '3600' }
  const { queue_id, last_event_id } = JSON.parse(await connection.post('/register', form))
  const lags: number[] = []
  let isStopped = false
  let cursor: number = last_event_id
  const poll = async () => {
    const text = await connection.get('/events', { queue_id, last_event_id: String(cursor) })
    const now = performance.now()
    const { events } = JSON.parse(text) as { events: { id: number; message?: { content: string } }[] }
    for (const { id, message } of events) {
      cursor = id
      if (message) lags.push(now - (sentAt[Number(/^Message (\d+)/.exec(message.content)?.[1])] as number))
    }
  }
  const run = async () => {
    while (!isStopped) await poll().catch((error) => isStopped || Promise.reject(error))
  }
  void run()
  return {
    lags,
    [Symbol.dispose]() {
      isStopped = true
      connection[Symbol.dispose]()
    },
  }
}
