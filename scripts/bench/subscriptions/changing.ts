import type { Account } from '@oxbow/testkit'
import type { ProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { endPairs, timed } from './bare-sql.ts'
import { call, kilobytes, showStalls, startCountingNode, usualStalls, watched } from './counting-node.ts'
import { type Listener, listen } from './listener.ts'
import { addStreams, type Bed, plantVillage, putInto, type Village } from './village.ts'

const archived = 2
const large = 100_000
const turns = 4
const people = 10_000
const watchers = 50

/** What is done to a stream that very many are in. */
export async function benchChanging(): Promise<Figure[]> {
  return [...(await benchArchive()), ...(await benchPrivacy())]
}

async function benchArchive(): Promise<Figure[]> {
  await using village = await plantVillage(large)
  const beds = await addStreams(village, 2 * archived)
  await putInto(village, { streams: beds, people: village.villagers })
  await using node = await startCountingNode(village)
  const found = []
  for (let turn = 0; turn < archived; turn++) {
    const [ours, theirs] = beds.splice(0, 2) as [Bed, Bed]
    const before = await village.logBytes()
    const { took } = await call(node, village.owner, { method: 'DELETE', path: `/streams/${ours.id}` })
    const bytes = (await village.logBytes()) - before
    const bare = await timed(() => endPairs(village, theirs))
    found.push({ took, bare, bytes })
    say(`archived in ${took.toFixed(0)} ms, bare rows ${bare.toFixed(0)} ms`)
  }
  const ratio = median(found.map(({ took, bare }) => took / bare))
  return [
    {
      what: '(e) a stream of 100,000 is archived',
      measured: `${median(found.map(({ took }) => took)).toFixed(0)} ms, ${ratio.toFixed(2)} times the bare rows (${median(found.map(({ bare }) => bare)).toFixed(0)} ms), ${found[0]?.bytes} bytes of log`,
    },
  ]
}

async function benchPrivacy(): Promise<Figure[]> {
  await using village = await plantVillage(people)
  const { members, owner } = village
  const [bed] = (await addStreams(village, 1)) as [Bed]
  const half = Math.ceil(members.length / 2)
  const [inside, outside] = [members.slice(0, half), members.slice(half)]
  const insiders = [owner, ...inside].map(({ user_id }) => user_id)
  await putInto(village, { streams: [bed], people: [...village.villagers, ...insiders] })
  await using node = await startCountingNode(village)
  const listeners = await Promise.all(
    [inside, outside].flatMap((accounts) => {
      const queues = Array.from({ length: watchers / 2 }, (_, place) => accounts[place % accounts.length])
      return queues.map((account) => listen(node, account as Account))
    }),
  )
  const [told, blind] = [listeners.slice(0, watchers / 2), listeners.slice(watchers / 2)]
  const closed: Change[] = []
  const opened: Change[] = []
  for (let turn = 0; turn <= turns; turn++) {
    closed.push(await change(village, node, bed, true, [told, '"op":"update"'], [blind, '"op":"delete"']))
    opened.push(await change(village, node, bed, false, [told, '"op":"update"'], [blind, '"op":"create"']))
  }
  return [figureOf('public to private', closed), figureOf('private to public', opened)]
}

type Change = Awaited<ReturnType<typeof change>>

async function change(
  { owner }: Village,
  node: ProbedNode,
  { id }: Bed,
  is_private: boolean,
  ...expected: [listeners: readonly Listener[], text: string][]
) {
  const { result, stalls } = await watched(node, async () => {
    const start = performance.now()
    const heard = expected.flatMap(([listeners, text]) => listeners.map((each) => each.hears(text)))
    const { took } = await call(node, owner, {
      method: 'PATCH',
      path: `/streams/${id}`,
      form: { is_private },
    })
    const all = await Promise.all(heard)
    return { took, all: Math.max(...all.map(({ at }) => at)) - start, size: all.at(-1)?.text.length ?? 0 }
  })
  say(
    `${is_private ? 'closed' : 'opened'} in ${result.took.toFixed(0)} ms, known to all after ${result.all.toFixed(0)} ms; ${showStalls(stalls)}`,
  )
  return { ...result, stalls }
}

function figureOf(what: string, changes: Change[]): Figure {
  // The first lets the node compile what it runs.
  changes.shift()
  const of = (each: (change: Change) => number) => median(changes.map(each))
  return {
    what: `(e) a stream of 10,000, ${what}`,
    measured: `${of(({ took }) => took).toFixed(0)} ms; ${watchers} queues have it after ${of(({ all }) => all).toFixed(0)} ms, with ${kilobytes(of(({ size }) => size))}; ${showStalls(usualStalls(changes.map(({ stalls }) => stalls)))}`,
  }
}
