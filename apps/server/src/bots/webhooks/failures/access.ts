import type { UserId } from '@oxbow/contract'
import type { UserRow, WebhookFailureRow } from '../../../platform/database/tables.ts'

/**
 * Returns whether an account owned the bot of a failed delivery then and still owns it. The outcome of a
 * replay reveals parts of the delivery, and the bot posts with the rights of its current owner.
 */
export function canReplay(
  { owner_id }: Pick<WebhookFailureRow, 'owner_id'>,
  { bot_owner_id }: Pick<UserRow, 'bot_owner_id'>,
  account: UserId,
): boolean {
  return owner_id === account && bot_owner_id === account
}
