import { hash } from 'node:crypto'
import { foldTopic, maxTopicLength } from '@oxbow/contract'
import type { Micros } from '../model/source.ts'
import type { LocalTime } from '../text/moments.ts'
import { cleanTopic, cut, cutAtWord } from '../text/names.ts'
import type { ImportOptions } from './options.ts'

/** A stream with fewer messages outside of threads has one topic for all of them. */
const minForSeveralTopics = 200

/** Names the topics of one stream. No two threads get the same name. */
export class TopicNames {
  readonly #system: string
  readonly #options: ImportOptions
  readonly #time: LocalTime
  readonly #isSingle: boolean
  /** Hashes in place of names, because a stream may have a million threads. */
  readonly #taken = new Set<number>()

  constructor(system: string, options: ImportOptions, time: LocalTime, unthreaded: number) {
    this.#system = system
    this.#options = options
    this.#time = time
    this.#isSingle = options.runningTopics === 'single' || unthreaded < minForSeveralTopics
  }

  /** The topic of messages outside of threads. */
  running(at: Micros): string {
    if (this.#isSingle) return `from ${this.#system}`
    const { runningTopics } = this.#options
    const date = runningTopics === 'day' ? this.#time.day(at) : this.#time.month(at)
    return `${date} from ${this.#system}`
  }

  /** The topic of a thread: its first words and its day. `sourceId` distinguishes threads of one second. */
  thread(words: string, at: Micros, sourceId: string): string {
    const day = ` · ${this.#time.day(at)}`
    const clock = this.#time.clock(at)
    const suffixes = [day, `${day} ${clock.slice(0, 5)}`, `${day} ${clock}`, `${day} ${sourceId.slice(-6)}`]
    for (const suffix of suffixes) {
      const name = joinTopic(words, suffix)
      if (this.#claim(name)) return name
    }
    for (let number = 2; ; number++) {
      const name = joinTopic(words, `${day} ${number}`)
      if (this.#claim(name)) return name
    }
  }

  #claim(name: string): boolean {
    const digest = hash('sha1', foldTopic(name), 'buffer').readUIntBE(0, 6)
    if (this.#taken.has(digest)) return false
    this.#taken.add(digest)
    return true
  }
}

const joinTopic = (words: string, suffix: string): string => {
  const clean = cleanTopic(suffix)
  return `${cutAtWord(cleanTopic(words), maxTopicLength - clean.length - 1)} ${clean}`
}

/** Returns the topic that the source gives, as Oxbow stores topics. */
export function givenTopic(topic: string, running: string): string {
  const clean = cleanTopic(topic)
  return clean === '' ? running : cut(clean, maxTopicLength)
}
