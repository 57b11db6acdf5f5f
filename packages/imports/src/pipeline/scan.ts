import type { Adapter, SourceMessage } from '../model/source.ts'
import type { Tally } from '../report/tally.ts'
import { isPlausible } from '../text/moments.ts'
import type { MergeSort } from './merge-sort.ts'
import { type ImportOptions, latestTime } from './options.ts'
import { collect } from './team.ts'

/** A message with its position in the archive, which decides the order of equal times. */
export interface ScannedMessage {
  message: SourceMessage
  order: number
}

/** The results of the first pass, as plain data. */
export interface Scan {
  /** Names of authors that no list has, by source id. */
  strangers: [id: string, name: string][]
  emojiUses: [name: string, uses: number][]
  /** The first message of each author. */
  firstByAuthor: [id: string, at: number][]
  /** Messages outside of threads, by place. */
  unthreaded: [place: string, count: number][]
  /** Messages to which texts link, as `refKey`s. */
  linked: string[]
}

/** Limits of what a hostile archive could make the pass remember. */
const maxStrangers = 200_000
const maxEmojiNames = 100_000
const maxLinked = 1_000_000

export const refKey = ({ place, id }: { place: string; id: string }): string => `${place}\n${id}`

/**
 * Reads all messages of an archive once: counts them, notes what later passes need to know, and sorts them by
 * place and thread.
 */
export async function scanMessages(
  adapter: Adapter,
  options: ImportOptions,
  tally: Tally,
  sorted: MergeSort<ScannedMessage>,
  onProgress: (done: number) => void,
): Promise<Scan> {
  const people = new Set<string>()
  for await (const { id, otherIds = [] } of adapter.readPeople())
    for (const each of [id, ...otherIds]) people.add(each)
  const places = new Map(
    (await collect(adapter.readPlaces())).map((place, index) => [place.id, { place, index }]),
  )
  const seen = {
    strangers: new Map<string, string>(),
    emojiUses: new Map<string, number>(),
    firstByAuthor: new Map<string, number>(),
    unthreaded: new Map<string, number>(),
    linked: new Set<string>(),
  }
  /** The time of the last message with a plausible one, by place. */
  const lastTimes = new Map<string, number>()
  let order = 0
  for await (const read of adapter.readMessages(tally)) {
    onProgress(++order)
    const { place, id, author } = read
    const known = places.get(place)
    const at = isPlausible(read.at, latestTime(options)) ? read.at : lastTimes.get(place)
    tally.found(place, at)
    if (!known) {
      tally.skip(place, 'place_excluded', { id })
      continue
    }
    if (read.kind === 'notice' && !options.withNotices) {
      tally.skip(place, 'notice', { id })
      continue
    }
    if (at === undefined) {
      tally.skip(place, 'bad_time', { id })
      continue
    }
    if (at === read.at) lastTimes.set(place, at)
    else tally.lose('time_changed', { place, id })
    const message = { ...read, at }
    if (!people.has(author) && seen.strangers.size < maxStrangers)
      if (!seen.strangers.get(author)) seen.strangers.set(author, message.authorName ?? '')
    seen.firstByAuthor.set(author, Math.min(seen.firstByAuthor.get(author) ?? at, at))
    if ((message.thread ?? id) === id) seen.unthreaded.set(place, (seen.unthreaded.get(place) ?? 0) + 1)
    for (const { emoji } of message.reactions ?? [])
      if (seen.emojiUses.size < maxEmojiNames || seen.emojiUses.has(emoji))
        seen.emojiUses.set(emoji, (seen.emojiUses.get(emoji) ?? 0) + 1)
    for (const link of message.links ?? []) if (seen.linked.size < maxLinked) seen.linked.add(refKey(link))
    await sorted.add(threadKey(known.index, message, order), { message, order })
  }
  await sorted.finish()
  return {
    strangers: [...seen.strangers],
    emojiUses: [...seen.emojiUses],
    firstByAuthor: [...seen.firstByAuthor],
    unthreaded: [...seen.unthreaded],
    linked: [...seen.linked],
  }
}

export const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

/** Sorts by place and thread; inside a thread, the first message comes first and the replies by time. */
function threadKey(place: number, { id, at, thread = id }: SourceMessage, order: number): string {
  const root = encodeURIComponent(thread)
  return `${padded(place, 8)}|${root}|${thread === id ? 0 : 1}|${padded(at, 16)}|${padded(order, 12)}`
}
