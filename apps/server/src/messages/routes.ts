import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { renderText } from './content/render-text.ts'
import { listConversations } from './conversations/list-conversations.ts'
import { deleteMessage } from './delete/delete-message.ts'
import { editMessage } from './edit/edit-message.ts'
import { getRawMessage } from './edit/get-raw.ts'
import { getHistory } from './edit/history.ts'
import { changeFlags } from './flags/change-flags.ts'
import { markAllRead, markStreamRead, markTopicRead } from './flags/mark-read.ts'
import { addReaction } from './reactions/add-reaction.ts'
import { removeReaction } from './reactions/remove-reaction.ts'
import { listMessages } from './read/list-messages.ts'
import { listReaders } from './read-receipts/list-readers.ts'
import { matchNarrow } from './search/match-narrow.ts'
import { sendMessage } from './send/send-message.ts'
import { addSubmessage } from './widgets/add-submessage.ts'

export const messageRoutes: Routes<typeof api.messages> = {
  send: sendMessage,
  list: listMessages,
  conversations: listConversations,
  matchesNarrow: matchNarrow,
  getRaw: getRawMessage,
  edit: editMessage,
  remove: deleteMessage,
  readReceipts: listReaders,
  history: getHistory,
  changeFlags,
  addReaction,
  removeReaction,
  addSubmessage,
  render: renderText,
  markAllRead,
  markStreamRead,
  markTopicRead,
}
