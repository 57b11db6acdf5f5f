import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
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
import { addStreams, createLargeOrganization, insertSubscriptions } from './large-organization.ts'

const rounds = 5
const people = 10_000
const streamCount = 10_000
const own = 100

/**
 * Measures how a member of a large organization registers a queue with all streams, with and
 * without their members.
 */
export async function benchRegistering({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using organization = await createLargeOrganization(people)
  const { keylessUserIds } = organization
  const streams = await addStreams(organization, streamCount)
  const member = organization.members[0] as Account
  await insertSubscriptions(
    organization,
    { streams, people: keylessUserIds, chance: 50 / people, withoutPeriods: true },
    { streams: streams.slice(0, own), people: [member.user_id] },
  )
  await using node = await startCountingNode(organization)
  const figures = [
    ...(await benchCase(node, member, true, () => readPairs(organization, streams))),
    ...(await benchCase(node, member, false)),
  ]
  if (profile) await showProfile(node, member)
  return figures
}

async function benchCase(
  node: ProbedNode,
  member: Account,
  include_subscribers: boolean,
  readBare?: () => Promise<unknown>,
): Promise<Figure[]> {
  const found = []
  for (let round = 0; round <= rounds; round++) {
    const { result: we, stalls } = await measureStalls(node, () =>
      register(node, member, include_subscribers),
    )
    const bare = readBare ? await timed(readBare) : undefined
    found.push({ we, stalls, bare })
    print(`registered in ${we.took.toFixed(0)} ms, ${kilobytes(we.bytes)}, ${showStalls(stalls)}`)
  }
  // The first round is not measured, because the node compiles code in it.
  found.shift()
  const bare = readBare && median(found.map((round) => round.bare ?? 0))
  return [
    {
      label: `(d) register, 10,000 streams, ${include_subscribers ? 'with members' : 'without members'}`,
      measured: `${median(found.map(({ we }) => we.took)).toFixed(0)} ms${bare ? ` (bare SQL reads all members in ${bare.toFixed(0)} ms)` : ''}`,
    },
    {
      label: '    the answer',
      measured: `${kilobytes(found[0]?.we.bytes ?? 0)}, ${Math.min(...found.map(({ we }) => we.statements))} statements; ${showStalls(medianStalls(found.map((round) => round.stalls)))}`,
    },
  ]
}

function register(node: ProbedNode, member: Account, include_subscribers: boolean): Promise<Answer> {
  return call(node, member, { method: 'POST', path: '/register', form: { include_subscribers } })
}

async function showProfile(node: ProbedNode, member: Account): Promise<void> {
  await node.probe.startProfile()
  for (let round = 0; round < rounds; round++) await register(node, member, true)
  print(`Oxbow while it registers:\n${(await node.probe.stopProfile()).join('\n')}`)
}
