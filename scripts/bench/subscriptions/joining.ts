import type { ProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { readPairs, timed } from './bare-sql.ts'
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

const rounds = 8
const crowdSize = 100_000

/** Measures how one person joins and leaves a stream of 100,000 people and one of ten. */
export async function benchJoining(): Promise<Figure[]> {
  await using organization = await createLargeOrganization(crowdSize)
  const { keylessUserIds } = organization
  const [large, small] = (await addStreams(organization, 2)) as [BenchStream, BenchStream]
  await insertSubscriptions(
    organization,
    { streams: [large], people: keylessUserIds },
    { streams: [small], people: keylessUserIds.slice(0, 10) },
  )
  await using node = await startCountingNode(organization)
  const [joiner] = organization.members
  const listener = await listen(node, joiner ?? organization.owner, { event_types: ['subscription'] })
  return [
    ...(await benchStream(organization, node, listener, small, 10)),
    ...(await benchStream(organization, node, listener, large, crowdSize)),
  ]
}

async function benchStream(
  organization: LargeOrganization,
  node: ProbedNode,
  listener: Listener,
  stream: BenchStream,
  size: number,
): Promise<Figure[]> {
  const found: Awaited<ReturnType<typeof measureOnce>>[] = []
  for (let round = 0; round <= rounds; round++)
    found.push(await measureOnce(organization, node, listener, stream))
  found.shift()
  const of = (each: (round: (typeof found)[number]) => number) => median(found.map(each))
  const label = size.toLocaleString('en')
  return [
    {
      label: `(c) one joins and leaves a stream of ${label}`,
      measured: `${of(({ joined }) => joined).toFixed(0)} and ${of(({ left }) => left).toFixed(0)} ms, ${of(({ statements }) => statements)} statements, ${Math.round(of(({ bytes }) => bytes))} bytes of log`,
    },
    {
      label: '    until their event is there',
      measured: `${of(({ delivered }) => delivered).toFixed(0)} ms, ${kilobytes(of(({ size }) => size))} (bare SQL reads the list in ${of(({ bare }) => bare).toFixed(0)} ms); ${showStalls(medianStalls(found.map(({ stalls }) => stalls)))}`,
    },
  ]
}

async function measureOnce(
  organization: LargeOrganization,
  node: ProbedNode,
  listener: Listener,
  stream: BenchStream,
) {
  const before = await organization.logBytes()
  const { result, stalls } = await measureStalls(node, async () => {
    const added = listener.waitFor('"op":"add"')
    const start = performance.now()
    const { took, statements } = await join(node, listener, stream)
    const { text, at } = await added
    return { joined: took, statements, delivered: at - start, size: text.length }
  })
  const removed = listener.waitFor('"op":"remove"')
  const { took: left } = await leave(node, listener, stream)
  await removed
  const bytes = (await organization.logBytes()) - before
  const bare = await timed(() => readPairs(organization, [stream]))
  print(
    `joined in ${result.joined.toFixed(0)} ms, event received after ${result.delivered.toFixed(0)} ms, left in ${left.toFixed(0)} ms; ${showStalls(stalls)}`,
  )
  return { ...result, left, bytes, bare, stalls }
}

const path = '/users/me/subscriptions'

const join = (node: ProbedNode, { account }: Listener, { name }: BenchStream) =>
  call(node, account, { method: 'POST', path, form: { subscriptions: [{ name }] } })

const leave = (node: ProbedNode, { account }: Listener, { name }: BenchStream) =>
  call(node, account, { method: 'DELETE', path, form: { subscriptions: [name] } })
