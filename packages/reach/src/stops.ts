import type { DecisionInput } from './input.ts'
import type { RuleId } from './rules.ts'

const maxAgeMs = 24 * 3_600_000

/** Returns the first rule that keeps the message from notifying the reader through any channel. */
export function findStop({ message, reader, now }: DecisionInput): RuleId | undefined {
  if (reader.id === message.senderId) return 'S1'
  if (reader.isBot || !reader.isActive) return 'S2'
  if (!reader.hasAccess) return 'S3'
  if (message.isDeleted) return 'S4'
  if (!reader.isUnread) return 'S5'
  if (message.isSilent) return 'S6'
  if (reader.hasMutedSender || (message.isPrivate && reader.hasMutedAllOthers)) return 'S7'
  if (now.at - message.sentAt > maxAgeMs) return 'S8'
  return undefined
}
