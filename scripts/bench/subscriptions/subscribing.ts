import type { ProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { insertPairs, timed } from './bare-sql.ts'
import {
  type Answer,
  call,
  kilobytes,
  measureStalls,
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
import { listen } from './listener.ts'

/**
 * Number of measured rounds. One round before them is not measured, because the node compiles code
 * in it.
 */
const rounds = 4
const crowdSize = 10_000
/** Number of streams that everyone is subscribed to before the measurement. */
const earlierStreams = 10
const watchers = 50
/** More calls than PostgreSQL needs before it keeps a generic plan. */
const newDatabaseCalls = 10
const newcomers = 3_000

/** A call that subscribes people to streams. */
interface Case {
  label: string
  people: number
  streams: number
  /** Number of other people who are subscribed to the streams before the call. */
  others: number
  /** Set if the call creates the streams. */
  isNew?: true
  maxBytes?: number
}

const intoNew: Case = {
  label: '10,000 people into a new stream',
  people: crowdSize,
  streams: 1,
  others: 0,
  isNew: true,
}
const intoFull: Case = {
  label: '10,000 people into a stream of 10,000',
  people: crowdSize,
  streams: 1,
  others: crowdSize,
  maxBytes: 2_000_000,
}
const intoMany: Case = { label: '1,000 people into 10 streams', people: 1_000, streams: 10, others: 0 }

interface Measurement {
  we: Answer
  bare: number
  bytes: number
}

/**
 * Measures calls that subscribe many people, and compares them with bare SQL that writes the same
 * rows.
 */
export async function benchSubscribing({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using organization = await createLargeOrganization(2 * crowdSize)
  const { keylessUserIds } = organization
  const full = await addStreams(organization, 20)
  await insertSubscriptions(
    organization,
    { streams: await addStreams(organization, earlierStreams), people: keylessUserIds },
    { streams: full, people: keylessUserIds.slice(-crowdSize) },
  )
  await using node = await startCountingNode(organization)
  const figures = [
    ...(await benchCase(organization, node, intoNew)),
    ...(await benchCase(organization, node, intoFull, full)),
    ...(await benchCase(organization, node, intoMany)),
    await benchWatched(organization, node, full),
  ]
  if (profile) await showProfile(organization, node, full)
  return [...figures, await benchNewDatabase()]
}

/**
 * Checks that plans made while the tables were empty are fast enough until PostgreSQL makes new
 * ones, a minute later.
 */
async function benchNewDatabase(): Promise<Figure> {
  await using organization = await createLargeOrganization(newcomers)
  await using node = await startCountingNode(organization)
  const streams = await addStreams(organization, newDatabaseCalls)
  const took: number[] = []
  for (const stream of streams) took.push((await callSubscribe(organization, node, [stream], newcomers)).took)
  print(`in a new database: ${took.map((each) => each.toFixed(0)).join(', ')} ms`)
  return {
    label: `(a) 3,000 people into ${newDatabaseCalls} streams of a new database, one call each`,
    measured: `median ${median(took).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms`,
    wanted: 'alike',
  }
}

async function benchCase(
  organization: LargeOrganization,
  node: ProbedNode,
  wanted: Case,
  full?: BenchStream[],
): Promise<Figure[]> {
  const { label, maxBytes } = wanted
  const found: Measurement[] = []
  for (let round = 0; round <= rounds; round++)
    found.push(await measureOnce(organization, node, wanted, full))
  found.shift()
  const forTenPeople = [
    await subscribe(organization, node, { ...wanted, people: 10 }, full),
    await subscribe(organization, node, { ...wanted, people: 10 }, full),
  ]
  const ratio = median(found.map(({ we, bare }) => we.took / bare))
  const bytes = Math.max(...found.map((round) => round.bytes))
  // Takes the minimum, because some calls also look up the caller again.
  const statements = (measurements: Omit<Measurement, 'bare'>[]) =>
    Math.min(...measurements.map(({ we }) => we.statements))
  return [
    {
      label: `(a) ${label}`,
      measured: `${median(found.map(({ we }) => we.took)).toFixed(0)} ms, ${ratio.toFixed(2)} times the bare rows (${median(found.map(({ bare }) => bare)).toFixed(0)} ms)`,
    },
    {
      label: '    statements',
      measured: `${statements(found)}; for 10 people ${statements(forTenPeople)}`,
      wanted: 'the same',
    },
    {
      label: '    added to the log',
      measured: `${kilobytes(bytes)}; for 10 people ${kilobytes(forTenPeople[0]?.bytes ?? 0)}`,
      ...(maxBytes && { wanted: `at most ${kilobytes(maxBytes)}` }),
    },
  ]
}

async function measureOnce(
  organization: LargeOrganization,
  node: ProbedNode,
  wanted: Case,
  full?: BenchStream[],
): Promise<Measurement> {
  const { we, bytes } = await subscribe(organization, node, wanted, full)
  const streams = await takeStreams(organization, wanted, full)
  const people = organization.keylessUserIds.slice(0, wanted.people)
  const bare = await timed(() => insertPairs(organization, { people, streams }))
  print(
    `${wanted.label}: Oxbow ${we.took.toFixed(0)} ms, bare rows ${bare.toFixed(0)} ms, ratio ${(we.took / bare).toFixed(2)}, ${we.statements} statements, ${kilobytes(bytes)} of log`,
  )
  return { we, bare, bytes }
}

/** Returns streams that no call has used before. */
async function takeStreams(
  organization: LargeOrganization,
  { streams }: Case,
  full?: BenchStream[],
): Promise<BenchStream[]> {
  return full ? full.splice(-streams) : addStreams(organization, streams)
}

let newStreams = 0

async function subscribe(
  organization: LargeOrganization,
  node: ProbedNode,
  wanted: Case,
  full?: BenchStream[],
): Promise<Omit<Measurement, 'bare'>> {
  const streams = wanted.isNew
    ? [{ name: `new stream ${++newStreams}` }]
    : await takeStreams(organization, wanted, full)
  const before = await organization.logBytes()
  const we = await callSubscribe(organization, node, streams, wanted.people)
  return { we, bytes: (await organization.logBytes()) - before }
}

function callSubscribe(
  { owner, keylessUserIds }: LargeOrganization,
  node: ProbedNode,
  streams: readonly { name: string }[],
  people: number,
): Promise<Answer> {
  const form = {
    subscriptions: streams.map(({ name }) => ({ name })),
    principals: keylessUserIds.slice(0, people),
  }
  return call(node, owner, { method: 'POST', path: '/users/me/subscriptions', form })
}

/** Measures a call while it sends 10,000 events to each of the waiting queues. */
async function benchWatched(
  organization: LargeOrganization,
  node: ProbedNode,
  full: BenchStream[],
): Promise<Figure> {
  const { members, owner, keylessUserIds } = organization
  const accounts = Array.from({ length: watchers }, (_, index) => members[index % members.length] ?? owner)
  const listeners = await Promise.all(accounts.map((account) => listen(node, account)))
  const streams = await takeStreams(organization, intoFull, full)
  const last = `"user_id":${keylessUserIds[intoFull.people - 1]}}`
  const { result, stalls } = await measureStalls(node, async () => {
    const start = performance.now()
    const received = listeners.map((listener) => listener.waitFor(last))
    const { took } = await callSubscribe(organization, node, streams, intoFull.people)
    const all = await Promise.all(received)
    return { took, all: Math.max(...all.map(({ at }) => at)) - start, bytes: all[0]?.text.length ?? 0 }
  })
  return {
    label: `(a) ${intoFull.label}, ${watchers} queues waiting`,
    measured: `${result.took.toFixed(0)} ms; all have their ${kilobytes(result.bytes)} after ${result.all.toFixed(0)} ms; ${showStalls(stalls)}`,
  }
}

async function showProfile(
  organization: LargeOrganization,
  node: ProbedNode,
  full: BenchStream[],
): Promise<void> {
  await node.probe.startProfile()
  while (full.length > 0) await subscribe(organization, node, intoFull, full)
  print(`Oxbow while it subscribes:\n${(await node.probe.stopProfile()).join('\n')}`)
}
