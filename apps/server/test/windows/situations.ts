import fc from 'fast-check'
import type { NarrowName } from './narrows.ts'
import type { ReaderName } from './scene.ts'
import type { Details, Kind, Step } from './steps.ts'

const step = <Each extends Kind>(kind: Each, details: Details<Each>) => ({ kind, details }) as Step

const newest = { message: 0 }
const open = (reader: ReaderName, narrow: NarrowName) =>
  step('open', { reader, narrow, anchor: 'newest', message: 0, delay: 'none' })
const send = (stream: 'garden' | 'pond', topic: string) =>
  step('send', { by: 'ada', stream, topic, text: 'prune the south wall' })
const move = (stream: 'garden' | 'pond') =>
  step('move', { ...newest, stream, topic: undefined, mode: 'change_one' })

const reader = fc.constantFrom<ReaderName>('mia', 'gus')
const topic = fc.constantFrom('roses', 'Roses', 'weeds')
const narrowOfSeveral = fc.constantFrom<NarrowName>('everything', 'home', 'from ada', 'read')
const change = fc.constantFrom(
  step('edit', { ...newest, text: 'moles again' }),
  step('rename', { by: 'ada', ...newest, topic: 'weeds', mode: 'change_all' }),
  step('remove', newest),
  move('pond'),
)

/**
 * Sequences of steps that random single steps form too rarely. In each of them, windows could
 * become wrong.
 */
const situations = {
  /**
   * A message changes in a stream that the reader left, and is moved into a stream that the reader
   * is subscribed to.
   */
  changedUnseen: fc
    .record({ reader, topic })
    .map(({ reader, topic }) => [
      step('role', { reader, isGuest: false }),
      step('join', { reader, stream: 'garden' }),
      step('leave', { reader, stream: 'pond' }),
      send('pond', topic),
      open(reader, 'pond'),
      open(reader, 'garden'),
      step('settle', { reader }),
      step('edit', { ...newest, text: 'moles again' }),
      move('garden'),
    ]),
  /** A message is moved to a stream that a guest cannot read. */
  movedOutOfSight: fc
    .record({ reader, topic, narrow: narrowOfSeveral })
    .map(({ reader, topic, narrow }) => [
      step('role', { reader, isGuest: true }),
      step('join', { reader, stream: 'garden' }),
      step('leave', { reader, stream: 'pond' }),
      send('garden', topic),
      open(reader, narrow),
      step('settle', { reader }),
      move('pond'),
    ]),
  /** A response is delayed while one of its messages changes and the events about the change arrive. */
  changedDuringRequest: fc
    .record({ reader, topic, narrow: narrowOfSeveral, change })
    .map(({ reader, topic, narrow, change }) => [
      step('join', { reader, stream: 'garden' }),
      send('garden', topic),
      step('settle', { reader }),
      step('open', { reader, narrow, anchor: 'newest', message: 0, delay: 'response' }),
      change,
      step('poll', { reader, count: 3 }),
      step('release', { reader }),
    ]),
  /** A response from before a lost queue arrives after the windows were fetched again. */
  lostQueueDuringRequest: fc
    .record({ reader, topic, narrow: narrowOfSeveral, change })
    .map(({ reader, topic, narrow, change }) => [
      step('join', { reader, stream: 'garden' }),
      send('garden', topic),
      open(reader, narrow),
      step('settle', { reader }),
      step('refresh', { reader, view: 4, delay: 'response' }),
      change,
      step('loseQueue', { reader }),
      step('poll', { reader, count: 1 }),
    ]),
} satisfies Record<string, fc.Arbitrary<Step[]>>

export const situation: fc.Arbitrary<Step[]> = fc.oneof(...Object.values(situations))
