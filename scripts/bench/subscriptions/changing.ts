import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { endPairs, timed } from './bare-sql.ts'
import {
  call,
  kilobytes,
  measureStalls,
  medianStalls,
  showStalls,
  startCountingNode,
} from './counting-node.ts'
import {
  addStreams,
  type BenchStream,
  createLargeOrganization,
  insertSubscriptions,
  type LargeOrganization,
} from './large-organization.ts'
import { type Listener, listen } from './listener.ts'

const archiveRounds = 2
const crowdSize = 100_000
const rounds = 4
const people = 10_000
const watchers = 50

/** Measures changes of a stream with very many subscribers. */
export async function benchChanging(): Promise<Figure[]> {
  return [...(await benchArchive()), ...(await benchPrivacy())]
}

async function benchArchive(): Promise<Figure[]> {
  await using organization = await createLargeOrganization(crowdSize)
  const streams = await addStreams(organization, 2 * archiveRounds)
  await insertSubscriptions(organization, { streams, people: organization.keylessUserIds })
  await using node = await startCountingNode(organization)
  const found = []
  for (let round = 0; round < archiveRounds; round++) {
    const [ours, theirs] = streams.splice(0, 2) as [BenchStream, BenchStream]
    const before = await organization.logBytes()
    const { took } = await call(node, organization.owner, { method: 'DELETE', path: `/streams/${ours.id}` })
    const bytes = (await organization.logBytes()) - before
    const bare = await timed(() => endPairs(organization, theirs))
    found.push({ took, bare, bytes })
    print(`archived in ${took.toFixed(0)} ms, bare rows ${bare.toFixed(0)} ms`)
  }
  const ratio = median(found.map(({ took, bare }) => took / bare))
  return [
    {
      label: '(e) a stream of 100,000 is archived',
      measured: `${median(found.map(({ took }) => took)).toFixed(0)} ms, ${ratio.toFixed(2)} times the bare rows (${median(found.map(({ bare }) => bare)).toFixed(0)} ms), ${found[0]?.bytes} bytes of log`,
    },
  ]
}

async function benchPrivacy(): Promise<Figure[]> {
  await using organization = await createLargeOrganization(people)
  const { members, owner } = organization
  const [stream] = (await addStreams(organization, 1)) as [BenchStream]
  const half = Math.ceil(members.length / 2)
  const [inside, outside] = [members.slice(0, half), members.slice(half)]
  const insiders = [owner, ...inside].map(({ user_id }) => user_id)
  await insertSubscriptions(organization, {
    streams: [stream],
    people: [...organization.keylessUserIds, ...insiders],
  })
  await using node = await startCountingNode(organization)
  const listeners = await Promise.all(
    [inside, outside].flatMap((accounts) => {
      const queues = Array.from({ length: watchers / 2 }, (_, index) => accounts[index % accounts.length])
      return queues.map((account) => listen(node, account as Account))
    }),
  )
  const [insideQueues, outsideQueues] = [listeners.slice(0, watchers / 2), listeners.slice(watchers / 2)]
  const closed: Change[] = []
  const opened: Change[] = []
  for (let round = 0; round <= rounds; round++) {
    closed.push(
      await change(
        organization,
        node,
        stream,
        true,
        [insideQueues, '"op":"update"'],
        [outsideQueues, '"op":"delete"'],
      ),
    )
    opened.push(
      await change(
        organization,
        node,
        stream,
        false,
        [insideQueues, '"op":"update"'],
        [outsideQueues, '"op":"create"'],
      ),
    )
  }
  return [figureOf('public to private', closed), figureOf('private to public', opened)]
}

type Change = Awaited<ReturnType<typeof change>>

async function change(
  { owner }: LargeOrganization,
  node: ProbedNode,
  { id }: BenchStream,
  is_private: boolean,
  ...expected: [listeners: readonly Listener[], text: string][]
) {
  const { result, stalls } = await measureStalls(node, async () => {
    const start = performance.now()
    const received = expected.flatMap(([listeners, text]) => listeners.map((each) => each.waitFor(text)))
    const { took } = await call(node, owner, {
      method: 'PATCH',
      path: `/streams/${id}`,
      form: { is_private },
    })
    const all = await Promise.all(received)
    return { took, all: Math.max(...all.map(({ at }) => at)) - start, size: all.at(-1)?.text.length ?? 0 }
  })
  print(
    `${is_private ? 'closed' : 'opened'} in ${result.took.toFixed(0)} ms, known to all after ${result.all.toFixed(0)} ms; ${showStalls(stalls)}`,
  )
  return { ...result, stalls }
}

function figureOf(label: string, changes: Change[]): Figure {
  // The first change is not measured, because the node compiles code in it.
  changes.shift()
  const of = (each: (change: Change) => number) => median(changes.map(each))
  return {
    label: `(e) a stream of 10,000, ${label}`,
    measured: `${of(({ took }) => took).toFixed(0)} ms; ${watchers} queues have it after ${of(({ all }) => all).toFixed(0)} ms, with ${kilobytes(of(({ size }) => size))}; ${showStalls(medianStalls(changes.map(({ stalls }) => stalls)))}`,
  }
}
