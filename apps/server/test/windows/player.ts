import { type MessageId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { narrowOf } from './narrows.ts'
import type { Reader } from './reader.ts'
import { retryUnavailable } from './retry-unavailable.ts'
import type { Name, ReaderName, Scene, SentMessage, StreamWord } from './scene.ts'
import type { Screen } from './screen.ts'
import { type Details, type Kind, pollText } from './steps.ts'

export async function sendToStream(
  scene: Scene,
  by: Name,
  stream: StreamWord,
  topic: string,
  content: string,
): Promise<void> {
  const to = scene.streams.get(stream) as StreamId
  const message = { type: 'stream', to, topic, content }
  const { id } = await retryUnavailable(() => scene.client(by).messages.send(message))
  scene.addMessage(id as MessageId, by)
}

/** Performs the steps of a history. Its methods are named after the steps. */
export class Player implements Record<Kind, (details: never) => Promise<unknown>> {
  readonly scene: Scene
  readonly readers: Readonly<Record<ReaderName, Reader>>

  constructor(scene: Scene, readers: Readonly<Record<ReaderName, Reader>>) {
    this.scene = scene
    this.readers = readers
  }

  /** Performs the same action on every screen of the account. */
  async #each(reader: ReaderName, act: (screen: Screen) => Promise<void> | void): Promise<void> {
    await Promise.all(this.readers[reader].screens.map(act))
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

  open({ reader, narrow, anchor, message, delay }: Details<'open'>) {
    const terms = narrowOf(narrow, {
      stream: (word) => this.#stream(word),
      user: (name) => this.#user(name),
    })
    const at = anchor === 'message' ? this.#message(message) : (anchor as 'newest')
    return this.#each(reader, (screen) => screen.withDelay(delay, () => screen.open(terms, at)))
  }

  close({ reader, view }: Details<'close'>) {
    return this.#each(reader, (screen) => screen.close(view))
  }

  older({ reader, view, delay }: Details<'older'>) {
    return this.#each(reader, (screen) => screen.withDelay(delay, () => screen.view(view)?.fetchOlder()))
  }

  newer({ reader, view, delay }: Details<'newer'>) {
    return this.#each(reader, (screen) => screen.withDelay(delay, () => screen.view(view)?.fetchNewer()))
  }

  refresh({ reader, view, delay }: Details<'refresh'>) {
    return this.#each(reader, (screen) => screen.withDelay(delay, () => screen.view(view)?.refresh()))
  }

  release({ reader }: Details<'release'>) {
    return this.#each(reader, (screen) => screen.release())
  }

  poll({ reader, count }: Details<'poll'>) {
    return this.readers[reader].poll(count)
  }

  async settle({ reader }: Details<'settle'>) {
    await this.scene.world.settled()
    await this.readers[reader].catchUp()
  }

  loseQueue({ reader }: Details<'loseQueue'>) {
    return this.readers[reader].loseQueue()
  }
}
