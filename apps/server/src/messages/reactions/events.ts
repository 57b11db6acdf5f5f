import type { MessageId, ReactionEvent } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { listAccountsById } from '../../identity/accounts/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { MessageAudience } from '../audiences.ts'
import type { ReactionEmoji } from './queries.ts'

interface ReactionChange {
  op: ReactionEvent['op']
  message_id: MessageId
  reacted: ReactionEmoji
  audiences: readonly MessageAudience[]
}

export async function emitReaction(
  { config }: App,
  tx: Tx,
  { organization_id, user_id }: Actor,
  { op, message_id, reacted, audiences }: ReactionChange,
): Promise<void> {
  const account = (await listAccountsById(tx, organization_id, [user_id])).get(user_id)
  if (!account) throw new Error(`account ${user_id} does not exist`)
  const event = {
    type: 'reaction',
    op,
    message_id,
    emoji_name: reacted.emoji_name,
    emoji_code: reacted.emoji_code,
    reaction_type: reacted.reaction_type,
    user_id,
    user: { user_id, email: displayEmail(config, account), full_name: account.full_name },
  }
  for (const { ids, ...audience } of audiences) emit(tx, { organization_id, event, ...audience })
}
