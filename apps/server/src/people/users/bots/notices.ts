import type { UserId } from '@oxbow/contract'
import type { UserRow } from '../../../platform/database/tables.ts'
import { notice, type Person, silentMention } from '../../../streams/notice-text.ts'
import type { Notice } from '../../../streams/notices.ts'

type Bot = Pick<UserRow, 'full_name'>

/**
 * Builds the notice to the owner of a bot that another person replaced its key. Only the owner can
 * see the new key.
 */
export function buildNewKeyNotice({ full_name }: Bot, owner: UserId, by: Person): Notice {
  const content = notice`${silentMention(by)} gave your bot **${full_name}** a new API key. The old one no longer works.`
  return { users: [owner], content }
}

/** Builds the notice to the previous owner of a bot. */
export function buildBotTakenNotice({ full_name }: Bot, previous: UserId, to: Person, by: Person): Notice {
  const content = notice`${silentMention(by)} gave your bot **${full_name}** to ${silentMention(to)}. It has a new API key.`
  return { users: [previous], content }
}

/** Builds the notice to the new owner of a bot. */
export function buildBotReceivedNotice({ full_name }: Bot, owner: UserId, by: Person): Notice {
  const content = notice`${silentMention(by)} made you the owner of the bot **${full_name}**. It has a new API key.`
  return { users: [owner], content }
}
