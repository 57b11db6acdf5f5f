import fc from 'fast-check'
import { narrowNames } from './narrows.ts'
import { names, type ReaderName, type StreamWord, streamWords } from './scene.ts'
import type { Delay } from './screen.ts'

const topics = ['roses', 'Roses', 'weeds']
export const texts = [
  'prune the south wall',
  'see https://example.com/plan',
  '@**all** look',
  '@**Mia Gardener** and @**Gus Gardener**, look',
  'moles again',
  '/me waves',
]
export const pollText = '/poll When?\nnow\nlater'

const index = fc.nat({ max: 1_000 })
const by = fc.constantFrom(...names)
const stream = fc.constantFrom(...streamWords)
const topic = fc.constantFrom(...topics)
const text = fc.constantFrom(...texts)
const add = fc.boolean()
const narrow = fc.constantFrom(...narrowNames)
/** How the request is delayed; if absent, according to the history. */
const delay = fc.option(fc.constantFrom<Delay>('none', 'request', 'response'), { nil: undefined })
const reader = fc.constantFrom<ReaderName>('mia', 'gus')

/** Actions of accounts. `message` counts back from the newest. */
const actions = {
  send: fc.record({ by, stream, topic, text }),
  sendPrivate: fc.record({ by, to: fc.subarray([...names], { minLength: 1, maxLength: 3 }), text }),
  edit: fc.record({ message: index, text }),
  rename: fc.record({
    by,
    message: index,
    topic,
    mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
  }),
  move: fc.record({
    message: index,
    stream: fc.constantFrom<StreamWord>('garden', 'pond'),
    topic: fc.option(topic, { nil: undefined }),
    mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
  }),
  remove: fc.record({ message: index }),
  removeTopic: fc.record({ stream, topic }),
  flag: fc.record({
    reader,
    message: index,
    count: fc.integer({ min: 1, max: 3 }),
    flag: fc.constantFrom('read', 'starred', 'collapsed'),
    add,
  }),
  markAll: fc.record({ reader }),
  markStream: fc.record({ reader, stream }),
  markTopic: fc.record({ reader, stream, topic }),
  react: fc.record({ by, message: index, emoji: fc.constantFrom('rose', 'bug'), add }),
  vote: fc.record({ by, stream, vote: fc.constantFrom(1, -1) }),
  muteTopic: fc.record({ reader, stream, topic, add }),
  muteStream: fc.record({ reader, stream, add }),
  join: fc.record({ reader, stream }),
  leave: fc.record({ reader, stream }),
  privacy: fc.record({ stream, isPrivate: add, sharesHistory: add }),
  role: fc.record({ reader, isGuest: add }),
  rename_user: fc.record({ name: fc.constantFrom('Ada', 'Ada of the Hill') }),
  rename_stream: fc.record({ stream, name: fc.constantFrom('one', 'two') }),
  archive: fc.record({ stream }),
  linkify: fc.record({ add }),
}

/** Actions of the readers' clients. */
const moves = {
  open: fc.record({
    reader,
    narrow,
    anchor: fc.constantFrom('newest', 'oldest', 'first_unread', 'message'),
    message: index,
    delay,
  }),
  close: fc.record({ reader, view: index }),
  older: fc.record({ reader, view: index, delay }),
  newer: fc.record({ reader, view: index, delay }),
  refresh: fc.record({ reader, view: index, delay }),
  release: fc.record({ reader }),
  poll: fc.record({ reader, count: fc.integer({ min: 1, max: 3 }) }),
  settle: fc.record({ reader }),
  loseQueue: fc.record({ reader }),
}

const all = { ...actions, ...moves }
export type Kind = keyof typeof all
export type Details<Each extends Kind> = (typeof all)[Each] extends fc.Arbitrary<infer Value> ? Value : never
export type Step = { [Each in Kind]: { kind: Each; details: Details<Each> } }[Kind]

const weights: Partial<Record<Kind, number>> = {
  send: 12,
  sendPrivate: 3,
  edit: 6,
  rename: 10,
  move: 10,
  remove: 6,
  flag: 9,
  react: 4,
  join: 2,
  leave: 2,
  open: 9,
  older: 8,
  newer: 4,
  refresh: 2,
  release: 2,
  poll: 6,
}

export const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(all).map(([kind, details]) => ({
    weight: weights[kind as Kind] ?? 1,
    arbitrary: (details as fc.Arbitrary<unknown>).map((value) => ({ kind, details: value }) as Step),
  })),
)
