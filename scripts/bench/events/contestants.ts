import type { Probe } from '../probe/ask-probe.ts'
import { type BareServer, startBareServer } from './bare-server.ts'
import {
  type BenchOrganization,
  createBenchOrganization,
  type ProbedNode,
  registerQueue,
  registerQueues,
  startProbedNode,
  waitForPolls,
} from './bench-organization.ts'
import { type Poll, PollingClients } from './polling-clients.ts'

/** One of the two compared servers, with the clients that poll it. */
export interface Contestant {
  name: string
  url: string
  probe: Probe
  /** Opens this many more polls and waits until all polls are parked. */
  park(count: number): Promise<void>
  /** Emits one event, and waits until every poll got its response and was sent again. */
  deliver(): Promise<void>
}

/** Starts our node with this many queues, and the bare server. */
export async function startContestants(queues: number) {
  await using starting = new AsyncDisposableStack()
  const organization = starting.use(await createBenchOrganization())
  const polls = await prepareQueues(organization, queues)
  // Uses a new process, whose memory contains neither the queues nor garbage from their
  // registration.
  const node = starting.use(await startProbedNode(organization))
  const bare = starting.use(await startBareServer(await sampleAnswer(organization, node)))
  const ours = contestant('Oxbow', node, starting.use(new PollingClients(node.port)), polls, {
    head: organization.head,
    emit: organization.emit,
    waitForPolls: (count) => waitForPolls(node, count),
  })
  const theirs = contestant('bare node:http', bare, starting.use(new PollingClients(bare.port)), polls, bare)
  const owned = starting.move()
  return { ours, theirs, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function prepareQueues(organization: BenchOrganization, count: number): Promise<Poll[]> {
  await using node = await startProbedNode(organization)
  return await registerQueues(node.url, organization, count)
}

async function sampleAnswer(organization: BenchOrganization, node: ProbedNode): Promise<Response> {
  const [account] = organization.accounts
  if (!account) throw new Error('the organization has no accounts')
  const { queue_id, last_event_id, authorization } = await registerQueue(node.url, account)
  await organization.emit()
  const query = `queue_id=${queue_id}&last_event_id=${last_event_id}`
  return fetch(`${node.url}/api/v1/events?${query}`, { headers: { authorization } })
}

function contestant(
  name: string,
  { url, probe }: ProbedNode | BareServer,
  clients: PollingClients,
  polls: readonly Poll[],
  { head, emit, waitForPolls: waitUntilParked }: Pick<BareServer, 'head' | 'emit' | 'waitForPolls'>,
): Contestant {
  let open = 0
  return {
    name,
    url,
    probe,
    async park(count) {
      // Polls start from the newest event, so that earlier events do not end them.
      const last_event_id = await head()
      await clients.open(polls.slice(open, open + count).map((poll) => ({ ...poll, last_event_id })))
      open += count
      await waitUntilParked(open)
    },
    async deliver() {
      const answered = clients.round()
      await emit()
      await answered
    },
  }
}
