import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { readPairs, timed } from './bare-sql.ts'
import {
  type Answer,
  call,
  kilobytes,
  showStalls,
  startCountingNode,
  usualStalls,
  watched,
} from './counting-node.ts'
import { addStreams, plantVillage, putInto } from './village.ts'

const turns = 5
const people = 10_000
const streamCount = 10_000
const own = 100

/** A member of a large organization registers: all streams, with their members and without. */
export async function benchRegistering({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using village = await plantVillage(people)
  const { villagers } = village
  const streams = await addStreams(village, streamCount)
  const member = village.members[0] as Account
  await putInto(
    village,
    { streams, people: villagers, chance: 50 / people, withoutPeriods: true },
    { streams: streams.slice(0, own), people: [member.user_id] },
  )
  await using node = await startCountingNode(village)
  const figures = [
    ...(await benchCase(node, member, true, () => readPairs(village, streams))),
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
  for (let turn = 0; turn <= turns; turn++) {
    const { result: we, stalls } = await watched(node, () => register(node, member, include_subscribers))
    const bare = readBare ? await timed(readBare) : undefined
    found.push({ we, stalls, bare })
    say(`registered in ${we.took.toFixed(0)} ms, ${kilobytes(we.bytes)}, ${showStalls(stalls)}`)
  }
  // The first lets the node compile what it runs.
  found.shift()
  const bare = readBare && median(found.map((turn) => turn.bare ?? 0))
  return [
    {
      what: `(d) register, 10,000 streams, ${include_subscribers ? 'with members' : 'without members'}`,
      measured: `${median(found.map(({ we }) => we.took)).toFixed(0)} ms${bare ? ` (bare SQL reads all members in ${bare.toFixed(0)} ms)` : ''}`,
    },
    {
      what: '    the answer',
      measured: `${kilobytes(found[0]?.we.bytes ?? 0)}, ${Math.min(...found.map(({ we }) => we.statements))} statements; ${showStalls(usualStalls(found.map((turn) => turn.stalls)))}`,
    },
  ]
}

function register(node: ProbedNode, member: Account, include_subscribers: boolean): Promise<Answer> {
  return call(node, member, { method: 'POST', path: '/register', form: { include_subscribers } })
}

async function showProfile(node: ProbedNode, member: Account): Promise<void> {
  await node.probe.startProfile()
  for (let turn = 0; turn < turns; turn++) await register(node, member, true)
  say(`Oxbow while it registers:\n${(await node.probe.stopProfile()).join('\n')}`)
}
