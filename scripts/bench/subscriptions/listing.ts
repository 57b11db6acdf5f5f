import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import type { Stalls } from '../probe/watch-loop.ts'
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
import { addStreams, type Bed, plantVillage, putInto, type Village } from './village.ts'

const turns = 7
const people = 10_000

/** Someone's own subscriptions with all members of these streams, beside the bare SQL that reads who is in them. */
export async function benchListing({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using village = await plantVillage(people)
  const { villagers, members } = village
  const [some, all] = [await addStreams(village, 1_000), await addStreams(village, 100)]
  const [reader, crowded] = members as [Account, Account]
  await putInto(
    village,
    { streams: some, people: villagers, chance: 0.1, withoutPeriods: true },
    { streams: some, people: [reader.user_id], withoutPeriods: true },
    { streams: all, people: [...villagers, crowded.user_id], withoutPeriods: true },
  )
  await using node = await startCountingNode(village)
  return [
    ...(await benchCase(village, node, reader, some, '1,000 streams of about 1,000')),
    ...(await benchCase(village, node, crowded, all, '100 streams of 10,000')),
    ...(profile ? await showProfile(node, reader) : []),
  ]
}

interface Turn {
  we: Answer
  stalls: Stalls
  bare: number
}

async function benchCase(
  village: Village,
  node: ProbedNode,
  reader: Account,
  streams: readonly Bed[],
  what: string,
): Promise<Figure[]> {
  const found: Turn[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const { result: we, stalls } = await watched(node, () => list(node, reader))
    const bare = await timed(() => readPairs(village, streams))
    found.push({ we, stalls, bare })
    say(
      `${what}: Oxbow ${we.took.toFixed(0)} ms, bare SQL ${bare.toFixed(0)} ms, ratio ${(we.took / bare).toFixed(2)}, ${showStalls(stalls)}`,
    )
  }
  // The first lets the node compile what it runs.
  found.shift()
  const took = median(found.map(({ we }) => we.took))
  const bare = median(found.map((turn) => turn.bare))
  const ratio = median(found.map((turn) => turn.we.took / turn.bare))
  return [
    {
      what: `(b) subscriptions with members, ${what}`,
      measured: `${took.toFixed(0)} ms, ${ratio.toFixed(2)} times the bare SQL (${bare.toFixed(0)} ms)`,
    },
    {
      what: '    the answer',
      measured: `${kilobytes(found[0]?.we.bytes ?? 0)}, ${Math.min(...found.map(({ we }) => we.statements))} statements; ${showStalls(usualStalls(found.map((turn) => turn.stalls)))}`,
    },
  ]
}

function list(node: ProbedNode, reader: Account): Promise<Answer> {
  return call(node, reader, { path: '/users/me/subscriptions', form: { include_subscribers: true } })
}

async function showProfile(node: ProbedNode, reader: Account): Promise<Figure[]> {
  await node.probe.startProfile()
  for (let turn = 0; turn < turns; turn++) await list(node, reader)
  say(`Oxbow while it lists subscriptions:\n${(await node.probe.stopProfile()).join('\n')}`)
  return []
}
