import fc from 'fast-check'
import { type NarrowName, narrowNames } from './narrows.ts'
import { Player, sendToStream } from './player.ts'
import { Reader } from './reader.ts'
import { type ReaderName, readerNames, type Scene, type StreamWord, streamWords } from './scene.ts'
import type { Delay, TestedWindows } from './screen.ts'
import { situation } from './situations.ts'
import { type Step, step, texts } from './steps.ts'

export interface History {
  /** The streams that each reader is subscribed to at the beginning. */
  joined: Record<ReaderName, StreamWord[]>
  pageSize: number
  /** Delays of the windows' requests, in order. */
  delays: Delay[]
  maxMessages: number[]
  /** The windows that each reader opens at the beginning. */
  narrows: Record<ReaderName, NarrowName[]>
  /** Steps by round. Windows are compared after each round. */
  rounds: Step[][]
}

export function histories(rounds: number): fc.Arbitrary<History> {
  // Without a subscription to all public streams, windows over all streams are not live, and not compared.
  const everywhere: StreamWord[] = [...streamWords]
  const joined = fc.oneof(fc.constant(everywhere), fc.subarray(everywhere, { minLength: 2 }))
  const narrows = fc.array(fc.constantFrom(...narrowNames), { minLength: 3, maxLength: 3 })
  const steps = fc.oneof(
    { weight: 12, arbitrary: step.map((one) => [one]) },
    { weight: 1, arbitrary: situation },
  )
  const round = fc.array(steps, { minLength: 3, maxLength: 8, size: 'max' }).map((lists) => lists.flat())
  return fc.record({
    joined: fc.record({ mia: joined, gus: joined }),
    pageSize: fc.integer({ min: 2, max: 8 }),
    maxMessages: fc.array(fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 2, 5), {
      minLength: 1,
      maxLength: 4,
    }),
    delays: fc.array(fc.constantFrom<Delay>('none', 'request', 'response', 'response'), {
      minLength: 1,
      maxLength: 5,
    }),
    narrows: fc.record({ mia: narrows, gus: narrows }),
    rounds: fc.array(round, { minLength: rounds >> 1, maxLength: rounds, size: 'max' }),
  })
}

const firstMessages = [
  ['garden', 'roses'],
  ['garden', 'weeds'],
  ['pond', 'roses'],
  ['pond', 'weeds'],
  ['attic', 'roses'],
  ['cellar', 'weeds'],
] as const

/** Plays the history once for all tested windows, and compares them with fresh pages after each round. */
export async function playHistory(
  scene: Scene,
  history: History,
  tested: readonly TestedWindows[],
): Promise<void> {
  await scene.begin(history.joined)
  // Sends the messages one after the other, so that a repeated history has the same order.
  for (const text of texts.slice(0, 2))
    for (const [stream, topic] of firstMessages) await sendToStream(scene, 'ada', stream, topic, text)
  const start = (name: ReaderName) => Reader.start(name, scene.people[name], tested, history)
  const readers = { mia: await start('mia'), gus: await start('gus') }
  const player = new Player(scene, readers)
  try {
    for (const reader of readerNames)
      for (const narrow of history.narrows[reader])
        await player.open({ reader, narrow, anchor: 'newest', message: 0, delay: undefined })
    for (const [number, round] of history.rounds.entries()) {
      for (const { kind, details } of round)
        await scene.attempt(kind, async () => (player[kind] as (value: unknown) => Promise<unknown>)(details))
      await scene.world.settled()
      for (const name of readerNames) {
        await readers[name].catchUp()
        const different = await readers[name].listDifferent(`round ${number}`)
        for (const readerName of readerNames) readers[readerName].remove(different)
      }
    }
  } finally {
    for (const name of readerNames) await readers[name].stop()
  }
}
