import { toPlainText } from '@oxbow/markdown'
import type { Adapter, MessageRef, SourceMessage } from '../model/source.ts'
import { Tally } from '../report/tally.ts'
import { LocalTime } from '../text/moments.ts'
import { cutAtWord } from '../text/names.ts'
import type { MergeSort } from './merge-sort.ts'
import type { ImportOptions } from './options.ts'
import { type Render, TeamWriter } from './render.ts'
import { padded, type Scan, type ScannedMessage } from './scan.ts'
import type { Team, TeamPlace } from './team.ts'
import { givenTopic, TopicNames } from './topics.ts'

/** A message with the topic in which it comes. */
export interface PlacedMessage {
  message: SourceMessage
  topic: string
  /** The first message of a thread that is too short for a topic: the reply begins with a link to it. */
  replyTo?: ReplyTo
  /** Whether such replies follow. */
  hasShortReplies?: boolean
  isLastReply?: boolean
}

interface ReplyTo {
  /** Absent if the first message is not in the archive. */
  ref?: MessageRef
  author: string
  words: string
}

/** A notice that the import writes where a thread began, or where a reply was also shown. */
export interface PlacedNotice {
  place: string
  at: number
  topic: string
  about: 'thread' | 'broadcast' | 'missing_first'
  author: string
  words: string
  /** The topic of the thread. */
  threadTopic: string
  replies: number
}

export type Placed = { message: PlacedMessage } | { notice: PlacedNotice }

const maxQuote = 80
const maxReplyQuote = 40

/**
 * Reads the messages thread by thread and decides which threads become topics. Sorts the messages by time,
 * with the notices that take the place of threads. Returns how many messages the import will have.
 */
export async function placeThreads(
  sorted: MergeSort<ScannedMessage>,
  placed: MergeSort<Placed>,
  context: { adapter: Adapter; team: Team; render: Render; options: ImportOptions; scan: Scan; tally: Tally },
): Promise<number> {
  const placer = new ThreadPlacer(placed, context)
  for await (const { record } of sorted.read()) await placer.add(record)
  await placer.finish()
  await placed.finish()
  return placer.count
}

class ThreadPlacer {
  readonly #placed: MergeSort<Placed>
  readonly #adapter: Adapter
  readonly #team: Team
  readonly #render: Render
  readonly #options: ImportOptions
  readonly #tally: Tally
  readonly #writer: TeamWriter
  readonly #unthreaded: ReadonlyMap<string, number>
  readonly #time: LocalTime
  /** The place whose threads are being read, and the names of its topics. */
  #place: { sourceId: string; place: TeamPlace; names: TopicNames } | undefined
  #thread: OpenThread | undefined
  count = 0

  constructor(
    placed: MergeSort<Placed>,
    { adapter, team, render, options, scan, tally }: Parameters<typeof placeThreads>[2],
  ) {
    this.#placed = placed
    this.#adapter = adapter
    this.#team = team
    this.#render = render
    this.#options = options
    this.#tally = tally
    // The texts are written once more when the messages come, and their losses are counted then.
    this.#writer = new TeamWriter(adapter, team, new Tally())
    this.#unthreaded = new Map(scan.unthreaded)
    this.#time = new LocalTime(options.timeZone)
  }

  async add(scanned: ScannedMessage): Promise<void> {
    const { place, id, thread = id } = scanned.message
    if (this.#thread && (this.#thread.root !== thread || this.#place?.sourceId !== place)) await this.finish()
    if (!this.#enter(place)) {
      this.#tally.skip(place, 'no_members', { id })
      return
    }
    this.#thread ??= { root: thread, waiting: [], replies: 0, ids: new Set(), at: 0 }
    if (this.#isDuplicate(this.#thread, scanned.message)) {
      this.#tally.skip(place, 'duplicate', { id })
      return
    }
    await this.#addToThread(this.#thread, scanned)
  }

  /** Ends the thread that is being read. */
  async finish(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (!thread) return
    if (thread.topic === undefined) await this.#placeShort(thread, thread.waiting, true)
    else if (thread.first) await this.#writeNotice(thread, thread.first, thread.topic)
  }

  #enter(sourceId: string): boolean {
    if (this.#place?.sourceId === sourceId) return true
    const place = this.#team.place(sourceId)
    if (!place) return false
    const names = new TopicNames(
      this.#adapter.system,
      this.#options,
      this.#time,
      this.#unthreaded.get(sourceId) ?? 0,
    )
    this.#place = { sourceId, place, names }
    return true
  }

  /** Equal ids of one thread have equal times, so only ids of the current time are remembered. */
  #isDuplicate(thread: OpenThread, { id, at }: SourceMessage): boolean {
    if (thread.at !== at) {
      thread.ids.clear()
      thread.at = at
    }
    if (thread.ids.has(id)) return true
    thread.ids.add(id)
    return false
  }

  async #addToThread(thread: OpenThread, scanned: ScannedMessage): Promise<void> {
    const isFirst = scanned.message.id === thread.root
    if (isFirst) thread.first = scanned
    else thread.replies++
    if (thread.topic !== undefined) {
      await this.#placeReply(thread, scanned, thread.topic)
      return
    }
    thread.waiting.push(scanned)
    if (this.#isTopic(thread)) await this.#beginTopic(thread)
    else if (!this.#canBecomeTopic(thread) && thread.waiting.length > 1)
      await this.#placeShort(thread, thread.waiting.splice(0, thread.waiting.length - 1), false)
  }

  async #beginTopic(thread: OpenThread): Promise<void> {
    const head = thread.waiting[0] as ScannedMessage
    const named = head.message.kind === 'deleted' ? (thread.waiting[1] ?? head) : head
    const topic = this.#current.names.thread(this.#wordsOf(named.message), head.message.at, thread.root)
    thread.topic = topic
    if (!thread.first) await this.#noteMissing(head, topic)
    for (const each of thread.waiting.splice(0)) await this.#placeReply(thread, each, topic)
  }

  #isTopic(thread: OpenThread): boolean {
    const { threadTopics } = this.#options
    return (
      this.#canBecomeTopic(thread) && thread.replies >= (threadTopics === 'all' ? 1 : Number(threadTopics))
    )
  }

  #canBecomeTopic({ waiting }: OpenThread): boolean {
    if (this.#current.place.kind === 'conversation' || this.#options.threadTopics === 'none') return false
    return waiting[0]?.message.topic === undefined
  }

  get #current() {
    if (!this.#place) throw new Error('a thread belongs to no place')
    return this.#place
  }

  async #placeReply(thread: OpenThread, scanned: ScannedMessage, topic: string): Promise<void> {
    const { message } = scanned
    const { at, order } = this.#positionOf(thread, scanned)
    await this.#write(at, order, { message: { message: { ...message, at }, topic } })
    if (!message.isBroadcast || message.id === thread.root) return
    await this.#write(at, `${order}~`, {
      notice: {
        place: message.place,
        at,
        topic: this.#current.names.running(at),
        about: 'broadcast',
        author: message.author,
        words: this.#wordsOf(message),
        threadTopic: topic,
        replies: 0,
      },
    })
  }

  /** A reply never comes before the message that it answers. */
  #positionOf(
    { first, root }: OpenThread,
    { message, order }: ScannedMessage,
  ): { at: number; order: string } {
    const own = padded(order, 12)
    if (!first || message.id === root || message.at > first.message.at) return { at: message.at, order: own }
    if (message.at < first.message.at)
      this.#tally.lose('reply_before_thread', { place: message.place, id: message.id })
    return { at: first.message.at, order: `${padded(first.order, 12)}|${own}` }
  }

  /** Places messages of a thread that becomes no topic: its replies stay among the other messages. */
  async #placeShort(thread: OpenThread, messages: readonly ScannedMessage[], isEnd: boolean): Promise<void> {
    const { place, names } = this.#current
    const { first, root } = thread
    for (const scanned of messages) {
      const { message } = scanned
      const { at, order } = this.#positionOf(thread, scanned)
      const running = names.running(at)
      const topic = message.topic === undefined ? running : givenTopic(message.topic, running)
      const isReply = message.id !== root && message.topic === undefined
      if (isReply && !first)
        this.#tally.lose('missing_first_message', { place: message.place, id: message.id })
      await this.#write(at, order, {
        message: {
          message: { ...message, at },
          topic: place.kind === 'conversation' ? '' : topic,
          ...(isReply && { replyTo: this.#replyTo(thread) }),
          ...(message.id === root && thread.replies > 0 && { hasShortReplies: true }),
          ...(isEnd && scanned === messages.at(-1) && { isLastReply: true }),
        },
      })
    }
  }

  #replyTo(thread: OpenThread): ReplyTo {
    const { first } = thread
    if (!first) return { author: '', words: '' }
    const { place, id, author } = first.message
    thread.words ??= this.#wordsOf(first.message, maxReplyQuote)
    return { ref: { place, id }, author, words: thread.words }
  }

  /** Writes the notice that shows in the running topic where a thread began. */
  async #writeNotice(
    { replies }: OpenThread,
    { message, order }: ScannedMessage,
    threadTopic: string,
  ): Promise<void> {
    const { place, at, author } = message
    await this.#write(at, `${padded(order, 12)}~`, {
      notice: {
        ...{ place, at, author, threadTopic, replies, about: 'thread' },
        topic: this.#current.names.running(at),
        words: this.#wordsOf(message),
      },
    })
  }

  async #noteMissing({ message, order }: ScannedMessage, topic: string): Promise<void> {
    const { place, at, id } = message
    this.#tally.lose('missing_first_message', { place, id })
    // It sorts directly before the first reply.
    await this.#write(at, `${padded(order - 1, 12)}~~`, {
      notice: {
        place,
        at,
        topic,
        about: 'missing_first',
        author: '',
        words: '',
        threadTopic: topic,
        replies: 0,
      },
    })
  }

  async #write(at: number, order: string, placed: Placed): Promise<void> {
    this.count++
    await this.#placed.add(`${padded(at, 16)}|${order}`, placed)
  }

  /** Returns the first words of a message as people see them, or the name of its first file. */
  #wordsOf(message: SourceMessage, max = maxQuote): string {
    const text = this.#adapter.writeText(message.body, this.#writer)
    const html = this.#render(text.slice(0, 4_000))?.html ?? ''
    const line = toPlainText(html)
      .split('\n')
      .find((each) => /[\p{L}\p{N}]/u.test(each))
    if (line !== undefined) return cutAtWord(line.trim(), max)
    const author = this.#team.person(message.author)?.name ?? 'someone'
    return cutAtWord(message.files?.[0]?.name ?? `Thread by ${author}`, max)
  }
}

interface OpenThread {
  /** Id of the first message. */
  root: string
  first?: ScannedMessage
  /** Messages of a thread that may still become a topic: at most one more than the threshold. Otherwise the last one. */
  waiting: ScannedMessage[]
  replies: number
  topic?: string
  /** The first words of the first message, as replies quote them. */
  words?: string
  /** Ids of the messages at the time `at`. */
  ids: Set<string>
  at: number
}
