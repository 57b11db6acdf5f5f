import type { Account } from '@oxbow/testkit'
import { say } from '../../figures.ts'
import { addStreams, type Bed, plantVillage, putInto, type Village } from '../../subscriptions/village.ts'
import { type Conversation, insertConversations } from './conversations.ts'
import { fillArchive } from './fill-archive.ts'
import { muteSome, readHalf } from './reading-state.ts'
import { roses, type Speech } from './speech.ts'
import { withoutIndexes } from './without-indexes.ts'

const people = 5_000
const streamCount = 2_000
/** The reader is in every fourth stream. */
export const isReaders = (rank: number): boolean => rank % 4 === 0

/** A village in which very much was said, and one who reads it. */
export interface Archive extends Village {
  /** The most lively first. */
  beds: readonly Bed[]
  /** The most lively first. */
  conversations: readonly Conversation[]
  reader: Account
  rows: number
  speech: Speech
  /** The id of the message before the first one. */
  floor: number
}

export async function plantArchive(rows: number, speech: Speech = roses): Promise<Archive> {
  const start = performance.now()
  await using planting = new AsyncDisposableStack()
  const village = planting.use(await plantVillage(people))
  const reader = village.members[0] as Account
  const beds = await addStreams(village, streamCount)
  const readers = beds.filter((_, rank) => isReaders(rank))
  await putInto(
    village,
    { streams: beds, people: village.villagers, chance: 0.01 },
    { streams: readers, people: [reader.user_id] },
  )
  const conversations = await insertConversations(village, reader)
  const { rows: floors } = await village.session.query<{ id: number }>(
    'select last_value as id from message_id',
  )
  const owned = planting.move()
  const archive: Archive = {
    ...village,
    beds,
    conversations,
    reader,
    rows,
    speech,
    floor: floors[0]?.id ?? 0,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  await speech.prepare(archive)
  // Ids come in order, so this one costs little; and it finds what was just written.
  const indexes = { tables: ['message', 'user_message'], but: 'message_pkey' }
  await withoutIndexes(village.session, indexes, () => fillArchive(archive))
  await muteSome(archive)
  await readHalf(archive)
  await village.session.query('vacuum analyze')
  await village.session.query('checkpoint')
  say(
    `an archive of ${rows.toLocaleString('en')} messages was made in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  return archive
}
