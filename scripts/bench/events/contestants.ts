import type { Probe } from '../probe/ask-probe.ts'
import { type BareServer, startBareServer } from './bare-server.ts'
import { Crowd, type Poll } from './crowd.ts'
import {
  type Garden,
  type ProbedNode,
  plantGarden,
  registerQueue,
  registerQueues,
  startProbedNode,
  waitForPolls,
} from './garden.ts'

/** One of the two that are compared: a server and the crowd that polls it. */
export interface Contestant {
  name: string
  url: string
  probe: Probe
  /** Opens this many more polls and waits until all of them are held. */
  park(count: number): Promise<void>
  /** One event: every poll is answered, and has asked again. */
  round(): Promise<void>
}

/** Our node with this many queues to be polled, and the bare server. */
export async function startContestants(queues: number) {
  await using starting = new AsyncDisposableStack()
  const garden = starting.use(await plantGarden())
  const polls = await prepareQueues(garden, queues)
  // Another process than the one that registered them: the queues are not in its memory, nor what registering left.
  const node = starting.use(await startProbedNode(garden))
  const bare = starting.use(await startBareServer(await sampleAnswer(garden, node)))
  const ours = contestant('Oxbow', node, starting.use(new Crowd(node.port)), polls, {
    head: garden.head,
    tell: garden.emit,
    parked: (count) => waitForPolls(node, count),
  })
  const theirs = contestant('bare node:http', bare, starting.use(new Crowd(bare.port)), polls, bare)
  const owned = starting.move()
  return { ours, theirs, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function prepareQueues(garden: Garden, count: number): Promise<Poll[]> {
  await using node = await startProbedNode(garden)
  return await registerQueues(node.url, garden, count)
}

async function sampleAnswer(garden: Garden, node: ProbedNode): Promise<Response> {
  const [account] = garden.accounts
  if (!account) throw new Error('the garden has people')
  const { queue_id, last_event_id, authorization } = await registerQueue(node.url, account)
  await garden.emit()
  const query = `queue_id=${queue_id}&last_event_id=${last_event_id}`
  return fetch(`${node.url}/api/v1/events?${query}`, { headers: { authorization } })
}

function contestant(
  name: string,
  { url, probe }: ProbedNode | BareServer,
  crowd: Crowd,
  polls: readonly Poll[],
  { head, tell, parked }: Pick<BareServer, 'head' | 'tell' | 'parked'>,
): Contestant {
  let open = 0
  return {
    name,
    url,
    probe,
    async park(count) {
      // From the newest event: what came before is for none of them.
      const last_event_id = await head()
      await crowd.open(polls.slice(open, open + count).map((poll) => ({ ...poll, last_event_id })))
      open += count
      await parked(open)
    },
    async round() {
      const answered = crowd.round()
      await tell()
      await answered
    },
  }
}
