import type { Account } from '@oxbow/testkit'
import { print } from '../../figures.ts'
import {
  addStreams,
  createLargeOrganization,
  insertSubscriptions,
} from '../../subscriptions/large-organization.ts'
import type { Archive, MessageTexts } from './archive.ts'
import { insertConversations } from './conversations.ts'
import { fillArchive } from './fill-archive.ts'
import { roses } from './message-texts.ts'
import { markHalfRead, muteStreamsAndTopics } from './reading-state.ts'
import { withoutIndexes } from './without-indexes.ts'

export interface ArchiveSize {
  people: number
  streams: number
  /** The reader is subscribed to one of this many streams. */
  streamsPerRead: number
}

const usualSize: ArchiveSize = { people: 5_000, streams: 2_000, streamsPerRead: 4 }

/** Number of people besides the reader who are subscribed to streams, each to one in a hundred. */
const subscribers = 5_000

export async function createArchive(
  rows: number,
  messageTexts: MessageTexts = roses,
  { people, streams: streamCount, streamsPerRead }: ArchiveSize = usualSize,
): Promise<Archive> {
  const start = performance.now()
  await using starting = new AsyncDisposableStack()
  const organization = starting.use(await createLargeOrganization(people))
  const reader = organization.members[0] as Account
  const streams = await addStreams(organization, streamCount)
  const readStreams = streams.filter((_, rank) => rank % streamsPerRead === 0)
  await insertSubscriptions(
    organization,
    { streams, people: organization.keylessUserIds.slice(0, subscribers), chance: 0.01 },
    { streams: readStreams, people: [reader.user_id] },
  )
  const conversations = await insertConversations(organization, reader)
  const { rows: floors } = await organization.session.query<{ id: number }>(
    'select last_value as id from message_id',
  )
  const owned = starting.move()
  const archive: Archive = {
    ...organization,
    streams,
    conversations,
    reader,
    readStreams,
    rows,
    messageTexts,
    floor: floors[0]?.id ?? 0,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  await messageTexts.prepare(archive)
  // Keeps the primary key, because inserting in the order of ids is cheap and the next statements
  // use the key.
  const indexes = { tables: ['message', 'user_message'], except: 'message_pkey' }
  await withoutIndexes(organization.session, indexes, () => fillArchive(archive))
  await muteStreamsAndTopics(archive)
  await markHalfRead(archive)
  await organization.session.query('vacuum analyze')
  await organization.session.query('checkpoint')
  print(
    `an archive of ${rows.toLocaleString('en')} messages was created in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  return archive
}
