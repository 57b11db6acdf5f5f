import { type MessageId, Role, type StreamId, type UserId } from '@oxbow/contract'
import fc from 'fast-check'
import { type Counts, type Delay, Reader } from './reader.ts'
import { retryUnavailable } from './retry-unavailable.ts'
import {
  type Name,
  names,
  type ReaderName,
  readerNames,
  type Scene,
  type SentMessage,
  type StreamWord,
  streamWords,
} from './scene.ts'

const topics = ['roses', 'Roses', 'weeds']
const texts = [
  'prune the south wall',
  'see https://example.com/plan',
  '@**all** look',
  '@**Mia Gardener** and @**Gus Gardener**, look',
  'moles again',
  '/me waves',
]
const pollText = '/poll When?\nnow\nlater'

const index = fc.nat({ max: 1_000 })
const by = fc.constantFrom(...names)
const stream = fc.constantFrom(...streamWords)
const topic = fc.constantFrom(...topics)
const text = fc.constantFrom(...texts)
const add = fc.boolean()
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
    narrow: index,
    anchor: fc.constantFrom('newest', 'oldest', 'first_unread', 'message'),
    message: index,
  }),
  close: fc.record({ reader, view: index }),
  older: fc.record({ reader, view: index }),
  newer: fc.record({ reader, view: index }),
  refresh: fc.record({ reader, view: index }),
  release: fc.record({ reader }),
  poll: fc.record({ reader, count: fc.integer({ min: 1, max: 3 }) }),
  loseQueue: fc.record({ reader }),
}

const all = { ...actions, ...moves }
type Kind = keyof typeof all
type Details<Each extends Kind> = (typeof all)[Each] extends fc.Arbitrary<infer Value> ? Value : never
type Step = { [Each in Kind]: { kind: Each; details: Details<Each> } }[Kind]

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

const step = fc.oneof(
  ...Object.entries(all).map(([kind, details]) => ({
    weight: weights[kind as Kind] ?? 1,
    arbitrary: (details as fc.Arbitrary<unknown>).map((value) => ({ kind, details: value }) as Step),
  })),
)

export interface History {
  /** The streams that each reader is in at the beginning. */
  joined: Record<ReaderName, StreamWord[]>
  pageSize: number
  /** How requests of windows are delayed, one after the other. */
  delays: Delay[]
  /** The windows that each reader opens at the beginning. */
  narrows: Record<ReaderName, number[]>
  /** Windows are compared after each round. */
  rounds: Step[][]
}

export function histories(rounds: number): fc.Arbitrary<History> {
  const joined = fc.subarray([...streamWords], { minLength: 2 })
  const narrows = fc.array(index, { minLength: 3, maxLength: 3 })
  return fc.record({
    joined: fc.record({ mia: joined, gus: joined }),
    pageSize: fc.integer({ min: 2, max: 8 }),
    delays: fc.array(fc.constantFrom<Delay>('none', 'request', 'response', 'response'), {
      minLength: 1,
      maxLength: 5,
    }),
    narrows: fc.record({ mia: narrows, gus: narrows }),
    rounds: fc.array(fc.array(step, { minLength: 3, maxLength: 8, size: 'max' }), {
      minLength: rounds >> 1,
      maxLength: rounds,
      size: 'max',
    }),
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

/** Plays the history, and compares all live windows after each round. */
export async function playHistory(scene: Scene, history: History, counts: Counts): Promise<void> {
  await scene.begin(history.joined)
  for (const text of texts.slice(0, 2))
    await Promise.all(firstMessages.map(([place, name]) => sendToStream(scene, 'ada', place, name, text)))
  const { mia, gus } = scene.people
  const readers = {
    mia: await Reader.start(mia, history),
    gus: await Reader.start(gus, history),
  }
  const player = new Player(scene, readers)
  try {
    for (const name of readerNames)
      for (const narrow of history.narrows[name])
        await player.open({ reader: name, narrow, anchor: 'newest', message: 0 })
    for (const [number, round] of history.rounds.entries()) {
      for (const { kind, details } of round)
        await scene.attempt(kind, async () => (player[kind] as (value: unknown) => Promise<unknown>)(details))
      await scene.world.settled()
      for (const name of readerNames) {
        await readers[name].catchUp()
        await readers[name].check(counts, `${name}, round ${number}`)
      }
    }
  } finally {
    for (const name of readerNames) await readers[name].stop()
  }
}

async function sendToStream(
  scene: Scene,
  by: Name,
  place: StreamWord,
  topic: string,
  content: string,
): Promise<void> {
  const to = scene.streams.get(place) as StreamId
  const message = { type: 'stream', to, topic, content }
  const { id } = await retryUnavailable(() => scene.client(by).messages.send(message))
  scene.addMessage(id as MessageId, by)
}

/** Does the steps of a history. Methods have the names of the steps. */
class Player implements Record<Kind, (details: never) => Promise<unknown>> {
  readonly scene: Scene
  readonly readers: Readonly<Record<ReaderName, Reader>>

  constructor(scene: Scene, readers: Readonly<Record<ReaderName, Reader>>) {
    this.scene = scene
    this.readers = readers
  }

  get #administrator() {
    return this.scene.client('ada')
  }

  #sent(back: number): SentMessage {
    const { messages } = this.scene
    return messages[messages.length - 1 - (back % messages.length)] as SentMessage
  }

  #message(back: number): MessageId {
    return this.#sent(back).id
  }

  #stream(word: StreamWord): StreamId {
    return this.scene.streams.get(word) as StreamId
  }

  #user(name: Name): UserId {
    return this.scene.people[name].user_id
  }

  send({ by, stream, topic, text }: Details<'send'>) {
    return sendToStream(this.scene, by, stream, topic, text)
  }

  async sendPrivate({ by, to, text }: Details<'sendPrivate'>) {
    const people = to.map((name) => this.#user(name))
    const { id } = await this.scene.client(by).messages.send({ type: 'private', to: people, content: text })
    this.scene.addMessage(id as MessageId, by)
  }

  edit({ message, text }: Details<'edit'>) {
    const { id, by } = this.#sent(message)
    return this.scene.client(by).messages.edit({ message_id: id, content: text })
  }

  rename({ by, message, topic, mode }: Details<'rename'>) {
    const message_id = this.#message(message)
    return this.scene.client(by).messages.edit({ message_id, topic, propagate_mode: mode as 'change_one' })
  }

  move({ message, stream, topic, mode }: Details<'move'>) {
    return this.#administrator.messages.edit({
      message_id: this.#message(message),
      stream_id: this.#stream(stream),
      propagate_mode: mode as 'change_one',
      ...(topic !== undefined && { topic }),
    })
  }

  remove({ message }: Details<'remove'>) {
    return this.#administrator.messages.remove({ message_id: this.#message(message) })
  }

  removeTopic({ stream, topic }: Details<'removeTopic'>) {
    return this.#administrator.streams.deleteTopic({ stream_id: this.#stream(stream), topic_name: topic })
  }

  flag({ reader, message, count, flag, add }: Details<'flag'>) {
    const messages = Array.from({ length: count }, (_, more) => this.#message(message + more))
    return this.scene.client(reader).messages.changeFlags({ messages, flag, op: add ? 'add' : 'remove' })
  }

  markAll({ reader }: Details<'markAll'>) {
    return this.scene.client(reader).messages.markAllRead()
  }

  markStream({ reader, stream }: Details<'markStream'>) {
    return this.scene.client(reader).messages.markStreamRead({ stream_id: this.#stream(stream) })
  }

  markTopic({ reader, stream, topic }: Details<'markTopic'>) {
    return this.scene
      .client(reader)
      .messages.markTopicRead({ stream_id: this.#stream(stream), topic_name: topic })
  }

  react({ by, message, emoji, add }: Details<'react'>) {
    const reaction = { message_id: this.#message(message), emoji_name: emoji }
    const { messages } = this.scene.client(by)
    return add ? messages.addReaction(reaction) : messages.removeReaction(reaction)
  }

  async vote({ by, stream, vote }: Details<'vote'>) {
    await sendToStream(this.scene, 'ada', stream, 'roses', pollText)
    return this.scene.client(by).messages.addSubmessage({
      message_id: this.#message(0),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote }),
    })
  }

  muteTopic({ reader, stream, topic, add }: Details<'muteTopic'>) {
    const stream_id = this.#stream(stream)
    return this.scene.client(reader).subscriptions.muteTopic({ stream_id, topic, op: add ? 'add' : 'remove' })
  }

  muteStream({ reader, stream, add }: Details<'muteStream'>) {
    const change = { stream_id: this.#stream(stream), property: 'is_muted', value: add }
    return this.scene.client(reader).subscriptions.setProperties({ subscription_data: [change] as never })
  }

  async join({ reader, stream }: Details<'join'>) {
    const name = await this.#nameOf(stream)
    const principals = [this.#user(reader)]
    return this.#administrator.subscriptions.subscribe({ subscriptions: [{ name }], principals })
  }

  async leave({ reader, stream }: Details<'leave'>) {
    const name = await this.#nameOf(stream)
    return this.scene.client(reader).subscriptions.unsubscribe({ subscriptions: [name] })
  }

  async #nameOf(word: StreamWord): Promise<string> {
    const [row] = await this.scene.world.database.query<{ name: string }>(
      'select name from stream where id = $1 and organization_id = $2',
      [this.#stream(word), this.scene.world.organization_id],
    )
    return row?.name ?? word
  }

  privacy({ stream, isPrivate, sharesHistory }: Details<'privacy'>) {
    return this.#administrator.streams.update({
      stream_id: this.#stream(stream),
      is_private: isPrivate,
      ...(isPrivate && { history_public_to_subscribers: sharesHistory }),
    })
  }

  role({ reader, isGuest }: Details<'role'>) {
    const role = isGuest ? Role.guest : Role.member
    return this.scene.client('owner').users.update({ user_id: this.#user(reader), role })
  }

  rename_user({ name }: Details<'rename_user'>) {
    return this.scene.client('owner').users.update({ user_id: this.#user('ada'), full_name: name })
  }

  async rename_stream({ stream, name }: Details<'rename_stream'>) {
    const stream_id = this.#stream(stream)
    return this.#administrator.streams.update({ stream_id, new_name: `${stream} ${name} ${stream_id}` })
  }

  archive({ stream }: Details<'archive'>) {
    return this.#administrator.streams.archive({ stream_id: this.#stream(stream) })
  }

  async linkify({ add }: Details<'linkify'>) {
    const { linkifiers } = this.#administrator
    if (add)
      return linkifiers.add({ pattern: 'ro(?P<id>s)es', url_format_string: 'https://example.com/%(id)s' })
    const { filters } = await linkifiers.list()
    for (const [, , filter_id] of filters) await linkifiers.remove({ filter_id })
  }

  async open({ reader, narrow, anchor, message }: Details<'open'>) {
    const { views, windows } = this.readers[reader]
    const list = this.#narrows()
    const at = anchor === 'message' ? (this.#message(message) as number) : (anchor as 'newest')
    views.push(windows.open(list[narrow % list.length] ?? [], at))
    if (views.length > 5) views.shift()?.close()
  }

  #narrows() {
    const term = (operator: string, operand: string | number | number[], negated = false) => ({
      operator,
      operand,
      negated,
    })
    const garden = term('stream', this.#stream('garden'))
    const roses = term('topic', 'roses')
    return [
      [],
      [],
      [term('in', 'home')],
      [garden],
      [garden],
      [garden, roses],
      [garden, roses],
      [garden, roses],
      [term('stream', this.#stream('pond')), roses],
      [term('stream', this.#stream('attic'))],
      [term('stream', this.#stream('cellar'))],
      [term('is', 'starred')],
      [term('is', 'mentioned')],
      [term('is', 'alerted')],
      [term('is', 'unread')],
      [term('is', 'private')],
      [term('pm-with', [this.#user('ada')])],
      [term('group-pm-with', this.#user('ada'))],
      [term('sender', this.#user('ada'))],
      [roses],
      [term('search', 'pruned')],
      [garden, term('search', '"south wall"')],
      [garden, term('has', 'link')],
      [garden, term('is', 'starred')],
      [{ ...garden, negated: true }],
      [garden, { ...roses, negated: true }],
      [term('streams', 'public')],
      [term('search', 'moles')],
      [term('is', 'unread', true)],
    ]
  }

  #view({ reader, view: number }: { reader: ReaderName; view: number }) {
    const { views } = this.readers[reader]
    return views[number % Math.max(views.length, 1)]
  }

  async close(details: Details<'close'>) {
    const { views } = this.readers[details.reader]
    const closed = this.#view(details)
    if (!closed) return
    views.splice(views.indexOf(closed), 1)
    closed.close()
  }

  async older(details: Details<'older'>) {
    void this.#view(details)
      ?.fetchOlder()
      .catch(() => undefined)
  }

  async newer(details: Details<'newer'>) {
    void this.#view(details)
      ?.fetchNewer()
      .catch(() => undefined)
  }

  async refresh(details: Details<'refresh'>) {
    void this.#view(details)
      ?.refresh()
      .catch(() => undefined)
  }

  async release({ reader }: Details<'release'>) {
    this.readers[reader].release()
  }

  poll({ reader, count }: Details<'poll'>) {
    return this.readers[reader].poll(count)
  }

  loseQueue({ reader }: Details<'loseQueue'>) {
    return this.readers[reader].loseQueue()
  }
}
