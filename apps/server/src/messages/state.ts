import { stopWords } from '@oxbow/search'
import type { StateContext, StateSlice } from '../events/state-slice.ts'
import { getPerson } from '../streams/queries.ts'
import { findMaxMessageId, listRecentConversations, listStarred } from './unread/own-messages.ts'
import { readUnread } from './unread/read-unread.ts'
import type { Reader } from './visibility.ts'

/** Returns the account with its role in the snapshot from which the queue's events continue. */
export async function getReader({ actor, db }: StateContext): Promise<Reader> {
  const { organization_id, user_id } = actor
  return { organization_id, user_id, role: (await getPerson(db, actor)).role }
}

export const newestMessageState: StateSlice = {
  types: ['message'],
  read: async (context) => ({ max_message_id: await findMaxMessageId(context.db, await getReader(context)) }),
}

/**
 * The unread messages. They are included only for queues that receive both event types, because
 * other clients could not keep them current.
 */
export const unreadState: StateSlice = {
  types: ['message', 'update_message_flags'],
  read: async (context) => ({ unread_msgs: await readUnread(context.db, await getReader(context)) }),
}

export const starredState: StateSlice = {
  types: ['starred_messages'],
  read: async ({ actor, db }) => ({ starred_messages: await listStarred(db, actor) }),
}

export const recentConversationsState: StateSlice = {
  types: ['recent_private_conversations'],
  read: async ({ actor, db }) => ({ recent_private_conversations: await listRecentConversations(db, actor) }),
}

export const stopWordsState: StateSlice = {
  types: ['stop_words'],
  read: async () => ({ stop_words: stopWords }),
}
