import type { ConversationSummary } from '../data/conversation-facts.ts'
import type { RecentConversation } from '../data/recent.ts'

/** A conversation with all facts that its row shows. */
export interface RecentItem extends ConversationSummary {
  readonly recent: RecentConversation
}
