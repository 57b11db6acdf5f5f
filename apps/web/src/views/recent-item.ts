import type { ConversationFacts } from '../data/conversation-facts.ts'
import type { RecentConversation } from '../data/recent.ts'

/** A conversation with all facts that its row shows. */
export interface RecentItem extends ConversationFacts {
  readonly recent: RecentConversation
}
