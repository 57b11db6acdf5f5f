import type { ProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { readPairs, timed } from './bare-sql.ts'
import { call, kilobytes, showStalls, startCountingNode, usualStalls, watched } from './counting-node.ts'
import { type Listener, listen } from './listener.ts'
import { addStreams, type Bed, plantVillage, putInto, type Village } from './village.ts'

const turns = 8
const crowd = 100_000

/** One person comes into a stream and leaves it again: of a hundred thousand, and of ten. */
export async function benchJoining(): Promise<Figure[]> {
  await using village = await plantVillage(crowd)
  const { villagers } = village
  const [large, small] = (await addStreams(village, 2)) as [Bed, Bed]
  await putInto(
    village,
    { streams: [large], people: villagers },
    { streams: [small], people: villagers.slice(0, 10) },
  )
  await using node = await startCountingNode(village)
  const [joiner] = village.members
  const listener = await listen(node, joiner ?? village.owner, { event_types: ['subscription'] })
  return [
    ...(await benchStream(village, node, listener, small, 10)),
    ...(await benchStream(village, node, listener, large, crowd)),
  ]
}

async function benchStream(
  village: Village,
  node: ProbedNode,
  listener: Listener,
  bed: Bed,
  size: number,
): Promise<Figure[]> {
  const found: Awaited<ReturnType<typeof takeTurn>>[] = []
  for (let turn = 0; turn <= turns; turn++) found.push(await takeTurn(village, node, listener, bed))
  found.shift()
  const of = (each: (turn: (typeof found)[number]) => number) => median(found.map(each))
  const what = size.toLocaleString('en')
  return [
    {
      what: `(c) one joins and leaves a stream of ${what}`,
      measured: `${of(({ joined }) => joined).toFixed(0)} and ${of(({ left }) => left).toFixed(0)} ms, ${of(({ statements }) => statements)} statements, ${Math.round(of(({ bytes }) => bytes))} bytes of log`,
    },
    {
      what: '    until their event is there',
      measured: `${of(({ delivered }) => delivered).toFixed(0)} ms, ${kilobytes(of(({ size }) => size))} (bare SQL reads the list in ${of(({ bare }) => bare).toFixed(0)} ms); ${showStalls(usualStalls(found.map(({ stalls }) => stalls)))}`,
    },
  ]
}

async function takeTurn(village: Village, node: ProbedNode, listener: Listener, bed: Bed) {
  const before = await village.logBytes()
  const { result, stalls } = await watched(node, async () => {
    const added = listener.hears('"op":"add"')
    const start = performance.now()
    const { took, statements } = await join(node, listener, bed)
    const { text, at } = await added
    return { joined: took, statements, delivered: at - start, size: text.length }
  })
  const removed = listener.hears('"op":"remove"')
  const { took: left } = await leave(node, listener, bed)
  await removed
  const bytes = (await village.logBytes()) - before
  const bare = await timed(() => readPairs(village, [bed]))
  say(
    `joined in ${result.joined.toFixed(0)} ms, told of it after ${result.delivered.toFixed(0)} ms, left in ${left.toFixed(0)} ms; ${showStalls(stalls)}`,
  )
  return { ...result, left, bytes, bare, stalls }
}

const path = '/users/me/subscriptions'

const join = (node: ProbedNode, { account }: Listener, { name }: Bed) =>
  call(node, account, { method: 'POST', path, form: { subscriptions: [{ name }] } })

const leave = (node: ProbedNode, { account }: Listener, { name }: Bed) =>
  call(node, account, { method: 'DELETE', path, form: { subscriptions: [name] } })
