import assert from 'node:assert/strict'
import type { api, FetchedMessage, MessageFlag, NarrowTerm, ResponseOf } from '@oxbow/contract'
import type { OpenWindow, PageRequest, Windows } from '@oxbow/sdk/windows'

/** Calls `GET /messages`. */
export type ListMessages = (page: PageRequest) => Promise<ResponseOf<typeof api.messages.list>>

/** Maximum number of messages to fetch; more than any history has. */
const maxMessages = 4_000

/**
 * Asserts that every segment of the window has exactly the messages that `GET /messages` now
 * returns for its range, with the same content. Returns how many messages were compared.
 */
export async function expectSameWindow(
  windows: Windows,
  view: OpenWindow,
  list: ListMessages,
  label: string,
): Promise<number> {
  const { narrow: terms, segments, highlights } = view.current
  const narrow = terms.map((term) => ({ negated: false, ...term })) as NarrowTerm[]
  const isUnreadOnly = terms.some(
    ({ operator, operand, negated }) => operator === 'is' && operand === 'unread' && !negated,
  )
  let compared = 0
  for (const { from, to, ids } of segments) {
    const page = { narrow, anchor: String(from), num_before: 0, num_after: maxMessages }
    const { messages } = await list(page)
    const fresh = messages.filter(({ id }) => id <= to)
    const where = `${label}, ${JSON.stringify(terms)} from ${from} to ${to}`
    // Messages that were read since remain in a window of unread messages until it is closed.
    const shown = isUnreadOnly
      ? ids.filter((id) => !readFlags(windows.message(id)?.flags).includes('read'))
      : ids
    assert.deepEqual(
      shown,
      fresh.map(({ id }) => id),
      `ids of ${where}`,
    )
    for (const message of fresh) {
      const { id, sender_id, sender_full_name } = message
      assert.deepEqual({ ...windows.message(id) }, expected(message), `message ${id} of ${where}`)
      assert.equal(windows.nameOf(sender_id), sender_full_name, `sender of ${id} of ${where}`)
      if (message.match_content === undefined) continue
      const { match_content, match_subject } = message
      assert.deepEqual(
        { ...highlights.get(id) },
        { match_content, match_subject },
        `highlight of ${id} of ${where}`,
      )
    }
    compared += fresh.length
  }
  return compared
}

const flagOrder: readonly MessageFlag[] = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
]

const readFlags = (bits = 0): MessageFlag[] => flagOrder.filter((_, index) => bits & (1 << index))

/** Converts a message to the form of windows, independently of the SDK. */
function expected(message: FetchedMessage) {
  const isStream = message.type === 'stream'
  return {
    id: message.id,
    sender_id: message.sender_id,
    timestamp: message.timestamp,
    stream_id: isStream ? message.stream_id : undefined,
    topic: isStream ? message.topic : '',
    topic_links: message.topic_links,
    user_ids: isStream ? undefined : message.display_recipient.map(({ id }) => id).sort((a, b) => a - b),
    content: message.content,
    is_me_message: message.is_me_message,
    last_edit_timestamp: message.last_edit_timestamp,
    flags: flagOrder.reduce(
      (bits, flag, index) => (message.flags.includes(flag) ? bits | (1 << index) : bits),
      0,
    ),
    reactions: message.reactions.map(({ emoji_name, emoji_code, reaction_type, user_id }) => ({
      emoji_name,
      emoji_code,
      reaction_type,
      user_id,
    })),
    submessages: message.submessages,
  }
}
