import { setTimeout } from 'node:timers/promises'
import { type Account, eventually } from '@oxbow/testkit'
import { startProbedNode, waitForPolls } from '../events/garden.ts'
import { type Figure, median, quantile } from '../figures.ts'
import { addStreams, type Bed, plantVillage, putInto } from '../subscriptions/village.ts'
import { Connection } from './connection.ts'

const perSecond = 50
const seconds = 30
const watchers = 20
/** The first let the node compile what it runs. */
const leftOut = perSecond * 2

/** From the moment that someone begins to send to the answer of each poll that waits for it. */
export async function benchDelivering(): Promise<Figure[]> {
  await using village = await plantVillage(0)
  const { owner, members } = village
  const [bed] = (await addStreams(village, 1)) as [Bed]
  const everyone = [owner, ...members]
  await putInto(village, { streams: [bed], people: everyone.map(({ user_id }) => user_id) })
  await using node = await startProbedNode(village)
  using sender = new Connection(node.url, owner)
  const begun: number[] = []
  const polls = await Promise.all(
    Array.from({ length: watchers }, (_, place) =>
      follow(node.url, everyone[place % everyone.length] as Account, begun),
    ),
  )
  await waitForPolls(node, watchers)

  const start = performance.now()
  const sends: Promise<unknown>[] = []
  for (let number = 0; number < perSecond * seconds; number++) {
    const content = `Message ${number}: the roses by the south wall want pruning before the frost.`
    begun.push(performance.now())
    sends.push(sender.post('/messages', { type: 'stream', to: String(bed.id), topic: 'roses', content }))
    await setTimeout(Math.max(0, start + ((number + 1) * 1000) / perSecond - performance.now()))
  }
  await Promise.all(sends)
  await eventually(() => polls.every(({ lags }) => lags.length === begun.length))
  for (const poll of polls) poll[Symbol.dispose]()

  const lags = polls.flatMap((poll) => poll.lags.slice(leftOut))
  const last = begun
    .map((_, number) => Math.max(...polls.map((poll) => poll.lags[number] ?? 0)))
    .slice(leftOut)
  return [
    {
      what: `(e) start of a send to the answer of ${watchers} polls, at ${perSecond} a second`,
      measured: `median ${median(lags).toFixed(1)} ms, p99 ${quantile(lags, 0.99).toFixed(1)} ms; the last of them median ${median(last).toFixed(1)} ms, p99 ${quantile(last, 0.99).toFixed(1)} ms`,
    },
  ]
}

interface Follower extends Disposable {
  /** How long after its begin each message was there, in milliseconds. */
  lags: number[]
}

/** A client that polls and looks at the clock; messages carry their number. */
async function follow(url: string, account: Account, begun: readonly number[]): Promise<Follower> {
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
      if (message) lags.push(now - (begun[Number(/^Message (\d+)/.exec(message.content)?.[1])] as number))
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
