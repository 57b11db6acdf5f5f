import type { ProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { insertPairs, timed } from './bare-sql.ts'
import { type Answer, call, kilobytes, showStalls, startCountingNode, watched } from './counting-node.ts'
import { listen } from './listener.ts'
import { addStreams, type Bed, plantVillage, putInto, type Village } from './village.ts'

/** One more goes first and lets the node compile what it runs. */
const turns = 4
const crowd = 10_000
/** Streams that everyone is in before. */
const usual = 10
const watchers = 50
/** More calls than PostgreSQL makes plans for before it keeps one. */
const callsInNew = 10
const newcomers = 3_000

/** Who comes into what. */
interface Case {
  what: string
  people: number
  streams: number
  /** Others who are in the streams before. */
  others: number
  /** The streams do not exist before. */
  isNew?: true
  mostBytes?: number
}

const intoNew: Case = {
  what: '10,000 people into a new stream',
  people: crowd,
  streams: 1,
  others: 0,
  isNew: true,
}
const intoFull: Case = {
  what: '10,000 people into a stream of 10,000',
  people: crowd,
  streams: 1,
  others: crowd,
  mostBytes: 2_000_000,
}
const intoMany: Case = { what: '1,000 people into 20 streams', people: 1_000, streams: 20, others: 0 }

interface Turn {
  we: Answer
  bare: number
  bytes: number
}

/** Many people come into streams by one call, beside the rows that must be written for it. */
export async function benchSubscribing({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using village = await plantVillage(2 * crowd)
  const { villagers } = village
  const full = await addStreams(village, 20)
  await putInto(
    village,
    { streams: await addStreams(village, usual), people: villagers },
    { streams: full, people: villagers.slice(-crowd) },
  )
  await using node = await startCountingNode(village)
  const figures = [
    ...(await benchCase(village, node, intoNew)),
    ...(await benchCase(village, node, intoFull, full)),
    ...(await benchCase(village, node, intoMany)),
    await benchWatched(village, node, full),
  ]
  if (profile) await showProfile(village, node, full)
  return [...figures, await benchNewDatabase()]
}

/** Plans that were made while the tables were empty must do until PostgreSQL looks at them again, a minute later. */
async function benchNewDatabase(): Promise<Figure> {
  await using village = await plantVillage(newcomers)
  await using node = await startCountingNode(village)
  const beds = await addStreams(village, callsInNew)
  const took: number[] = []
  for (const bed of beds) took.push((await callSubscribe(village, node, [bed], newcomers)).took)
  say(`in a new database: ${took.map((each) => each.toFixed(0)).join(', ')} ms`)
  return {
    what: `(a) 3,000 people into ${callsInNew} streams of a new database, one call each`,
    measured: `median ${median(took).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms`,
    wanted: 'alike',
  }
}

async function benchCase(village: Village, node: ProbedNode, wanted: Case, full?: Bed[]): Promise<Figure[]> {
  const { what, mostBytes } = wanted
  const found: Turn[] = []
  for (let turn = 0; turn <= turns; turn++) found.push(await takeTurn(village, node, wanted, full))
  found.shift()
  const few = [
    await subscribe(village, node, { ...wanted, people: 10 }, full),
    await subscribe(village, node, { ...wanted, people: 10 }, full),
  ]
  const ratio = median(found.map(({ we, bare }) => we.took / bare))
  const bytes = Math.max(...found.map((turn) => turn.bytes))
  // Now and then the caller must be looked up again before.
  const statements = (turns: Omit<Turn, 'bare'>[]) => Math.min(...turns.map(({ we }) => we.statements))
  return [
    {
      what: `(a) ${what}`,
      measured: `${median(found.map(({ we }) => we.took)).toFixed(0)} ms, ${ratio.toFixed(2)} times the bare rows (${median(found.map(({ bare }) => bare)).toFixed(0)} ms)`,
    },
    {
      what: '    statements',
      measured: `${statements(found)}; for 10 people ${statements(few)}`,
      wanted: 'the same',
    },
    {
      what: '    added to the log',
      measured: `${kilobytes(bytes)}; for 10 people ${kilobytes(few[0]?.bytes ?? 0)}`,
      ...(mostBytes && { wanted: `at most ${kilobytes(mostBytes)}` }),
    },
  ]
}

async function takeTurn(village: Village, node: ProbedNode, wanted: Case, full?: Bed[]): Promise<Turn> {
  const { we, bytes } = await subscribe(village, node, wanted, full)
  const streams = await take(village, wanted, full)
  const people = village.villagers.slice(0, wanted.people)
  const bare = await timed(() => insertPairs(village, { people, streams }))
  say(
    `${wanted.what}: Oxbow ${we.took.toFixed(0)} ms, bare rows ${bare.toFixed(0)} ms, ratio ${(we.took / bare).toFixed(2)}, ${we.statements} statements, ${kilobytes(bytes)} of log`,
  )
  return { we, bare, bytes }
}

/** Streams that were not used before. */
async function take(village: Village, { streams }: Case, full?: Bed[]): Promise<Bed[]> {
  return full ? full.splice(-streams) : addStreams(village, streams)
}

let newStreams = 0

async function subscribe(
  village: Village,
  node: ProbedNode,
  wanted: Case,
  full?: Bed[],
): Promise<Omit<Turn, 'bare'>> {
  const streams = wanted.isNew ? [{ name: `new bed ${++newStreams}` }] : await take(village, wanted, full)
  const before = await village.logBytes()
  const we = await callSubscribe(village, node, streams, wanted.people)
  return { we, bytes: (await village.logBytes()) - before }
}

function callSubscribe(
  { owner, villagers }: Village,
  node: ProbedNode,
  streams: readonly { name: string }[],
  people: number,
): Promise<Answer> {
  const form = {
    subscriptions: streams.map(({ name }) => ({ name })),
    principals: villagers.slice(0, people),
  }
  return call(node, owner, { method: 'POST', path: '/users/me/subscriptions', form })
}

/** Queues that wait get ten thousand events each. */
async function benchWatched(village: Village, node: ProbedNode, full: Bed[]): Promise<Figure> {
  const { members, owner, villagers } = village
  const accounts = Array.from({ length: watchers }, (_, place) => members[place % members.length] ?? owner)
  const listeners = await Promise.all(accounts.map((account) => listen(node, account)))
  const streams = await take(village, intoFull, full)
  const last = `"user_id":${villagers[intoFull.people - 1]}}`
  const { result, stalls } = await watched(node, async () => {
    const start = performance.now()
    const heard = listeners.map((listener) => listener.hears(last))
    const { took } = await callSubscribe(village, node, streams, intoFull.people)
    const all = await Promise.all(heard)
    return { took, all: Math.max(...all.map(({ at }) => at)) - start, bytes: all[0]?.text.length ?? 0 }
  })
  return {
    what: `(a) ${intoFull.what}, ${watchers} queues waiting`,
    measured: `${result.took.toFixed(0)} ms; all have their ${kilobytes(result.bytes)} after ${result.all.toFixed(0)} ms; ${showStalls(stalls)}`,
  }
}

async function showProfile(village: Village, node: ProbedNode, full: Bed[]): Promise<void> {
  await node.probe.startProfile()
  while (full.length > 0) await subscribe(village, node, intoFull, full)
  say(`Oxbow while it subscribes:\n${(await node.probe.stopProfile()).join('\n')}`)
}
