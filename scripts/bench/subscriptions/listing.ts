import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import type { Stalls } from '../probe/watch-loop.ts'
import { readPairs, timed } from './bare-sql.ts'
import {
  type Answer,
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

const rounds = 7
const people = 10_000

/**
 * Measures how an account lists its subscriptions with all members, and compares it with bare SQL
 * that reads the members.
 */
export async function benchListing({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using organization = await createLargeOrganization(people)
  const { keylessUserIds, members } = organization
  const [some, all] = [await addStreams(organization, 1_000), await addStreams(organization, 100)]
  const [reader, crowded] = members as [Account, Account]
  await insertSubscriptions(
    organization,
    { streams: some, people: keylessUserIds, chance: 0.1, withoutPeriods: true },
    { streams: some, people: [reader.user_id], withoutPeriods: true },
    { streams: all, people: [...keylessUserIds, crowded.user_id], withoutPeriods: true },
  )
  await using node = await startCountingNode(organization)
  return [
    ...(await benchCase(organization, node, reader, some, '1,000 streams of about 1,000')),
    ...(await benchCase(organization, node, crowded, all, '100 streams of 10,000')),
    ...(profile ? await showProfile(node, reader) : []),
  ]
}

interface Measurement {
  we: Answer
  stalls: Stalls
  bare: number
}

async function benchCase(
  organization: LargeOrganization,
  node: ProbedNode,
  reader: Account,
  streams: readonly BenchStream[],
  label: string,
): Promise<Figure[]> {
  const found: Measurement[] = []
  for (let round = 0; round <= rounds; round++) {
    const { result: we, stalls } = await measureStalls(node, () => list(node, reader))
    const bare = await timed(() => readPairs(organization, streams))
    found.push({ we, stalls, bare })
    print(
      `${label}: Oxbow ${we.took.toFixed(0)} ms, bare SQL ${bare.toFixed(0)} ms, ratio ${(we.took / bare).toFixed(2)}, ${showStalls(stalls)}`,
    )
  }
  // The first round is not measured, because the node compiles code in it.
  found.shift()
  const took = median(found.map(({ we }) => we.took))
  const bare = median(found.map((round) => round.bare))
  const ratio = median(found.map((round) => round.we.took / round.bare))
  return [
    {
      label: `(b) subscriptions with members, ${label}`,
      measured: `${took.toFixed(0)} ms, ${ratio.toFixed(2)} times the bare SQL (${bare.toFixed(0)} ms)`,
    },
    {
      label: '    the answer',
      measured: `${kilobytes(found[0]?.we.bytes ?? 0)}, ${Math.min(...found.map(({ we }) => we.statements))} statements; ${showStalls(medianStalls(found.map((round) => round.stalls)))}`,
    },
  ]
}

function list(node: ProbedNode, reader: Account): Promise<Answer> {
  return call(node, reader, { path: '/users/me/subscriptions', form: { include_subscribers: true } })
}

async function showProfile(node: ProbedNode, reader: Account): Promise<Figure[]> {
  await node.probe.startProfile()
  for (let round = 0; round < rounds; round++) await list(node, reader)
  print(`Oxbow while it lists subscriptions:\n${(await node.probe.stopProfile()).join('\n')}`)
  return []
}
