import { ApiError, type MessageFetch } from '@oxbow/contract'
import type { StateContext, StateSlice } from '../../events/state-slice.ts'
import { readLimited, StatementTooSlow } from '../../platform/database/ad-hoc.ts'
import { JsonText } from '../../platform/pieces.ts'
import { getReader } from '../state.ts'
import { readMessages } from './list-messages.ts'
import { narrowTooSlow } from './read-narrowed.ts'

/**
 * The messages that `register` returns with the state. They are read in the same snapshot as the
 * state, so the client misses no message between them and its first event. If the narrow is
 * refused, the client still gets its queue: the error is part of the response.
 */
export const fetchedMessagesState: StateSlice = {
  types: [],
  async read(context) {
    const { fetch_messages } = context.params
    if (!fetch_messages) return {}
    try {
      const { messages, ...page } = await readLimited(context.db, () => readFetch(context, fetch_messages))
      const rest = JSON.stringify(page).slice(1)
      return { fetched_messages: new JsonText(['{"messages":', ...messages.pieces, `,${rest}`]) }
    } catch (error) {
      const refusal = error instanceof StatementTooSlow ? narrowTooSlow() : error
      if (!(refusal instanceof ApiError)) throw error
      return { fetch_messages_error: { name: refusal.errorName, msg: refusal.message } }
    }
  },
}

async function readFetch(context: StateContext, { anchor, ...fetch }: MessageFetch) {
  const { app, actor, db, options } = context
  return readMessages(
    app,
    db,
    { ...actor, ...(await getReader(context)) },
    {
      ...fetch,
      anchor: String(anchor),
      anchor_date: fetch.anchor_date,
      use_first_unread_anchor: false,
      apply_markdown: options.apply_markdown,
      client_external_avatar: options.client_external_avatar,
    },
  )
}
