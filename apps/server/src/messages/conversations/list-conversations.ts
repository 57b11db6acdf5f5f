import type { api, Conversation, ParamsOf, ResponseOf, StreamId } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { newestAnchor } from '../read/anchor.ts'
import { seconds } from '../read/views.ts'
import type { Reader } from '../visibility.ts'
import {
  type ConversationHead,
  filterConversationsWithNewer,
  listDetails,
  listReceivedHeads,
  type ReceivedMessageKey,
} from './find-conversations.ts'

type List = typeof api.messages.conversations

/**
 * Maximum number of messages that one request reads. If the newest messages all belong to a few
 * busy conversations, the page ends at this number with fewer conversations than requested, and
 * `next_before` continues below the last message read.
 */
const maxReadMessages = 2_000
/**
 * Number of messages per query. The query may read up to this many messages of each stream of the
 * account, so a larger number would cost more than a second query.
 */
const messagesPerRead = 200

/** Lists the conversations of the messages that the account received, newest first. */
export async function listConversations(
  { db }: App,
  actor: Actor,
  { before, limit }: ParamsOf<List>,
): Promise<ResponseOf<List>> {
  const { heads, next_before } = await findHeads(db, actor, before, limit)
  return {
    conversations: (await listDetails(db, actor, heads)).map((head) => viewConversation(actor, head)),
    found_oldest: next_before === undefined,
    ...(next_before !== undefined && { next_before }),
  }
}

interface Heads {
  /** The newest message of each conversation. */
  heads: ReceivedMessageKey[]
  /** Undefined if there are no older conversations. */
  next_before?: number
}

/** Finds the newest conversations in which all received messages have ids below `before`. */
async function findHeads(db: Db, reader: Reader, before: number | undefined, limit: number): Promise<Heads> {
  const heads: ReceivedMessageKey[] = []
  const seen = new Set<string>()
  let from = before ?? newestAnchor
  let read = 0
  while (read < maxReadMessages) {
    const messages = await listReceivedHeads(db, reader, from, messagesPerRead)
    const first = messages.filter((message) => addNew(seen, keyOf(message)))
    const continued =
      before === undefined ? [] : await filterConversationsWithNewer(db, reader, before, first)
    const continuedKeys = new Set(continued.map(keyOf))
    for (const head of first) {
      if (continuedKeys.has(keyOf(head))) continue
      if (heads.length === limit) return { heads, next_before: heads.at(-1)?.id ?? from }
      heads.push(head)
    }
    if (messages.length < messagesPerRead) return { heads }
    from = messages.at(-1)?.id ?? from
    read += messages.length
  }
  return { heads, next_before: from }
}

const keyOf = ({ is_private, recipient_id, folded_topic }: Omit<ReceivedMessageKey, 'id'>): string =>
  is_private ? String(recipient_id) : `${recipient_id} ${folded_topic}`

function addNew(seen: Set<string>, key: string): boolean {
  const { size } = seen
  return seen.add(key).size > size
}

function viewConversation({ user_id }: Reader, head: ConversationHead): Conversation {
  const { max_message_id, sent_at, sender_ids, members, stream_id, topic } = head
  const common = { max_message_id, timestamp: seconds(sent_at), sender_ids }
  if (members) return { type: 'private', user_ids: members.filter((id) => id !== user_id), ...common }
  return { type: 'stream', stream_id: stream_id as StreamId, topic, ...common }
}
