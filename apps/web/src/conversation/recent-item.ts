import type { ConversationSummary } from '../client/conversations/conversation-facts.ts'
import type { RecentConversation } from '../client/conversations/recent.ts'

/** A conversation with all facts that its row shows. */
export interface RecentItem extends ConversationSummary {
  readonly recent: RecentConversation
}
