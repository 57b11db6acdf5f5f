import {
  ApiError,
  type api,
  maxOwnSubmessageBytes,
  maxOwnSubmessages,
  maxSubmessageBytes,
  maxSubmessages,
  maxTotalSubmessageBytes,
  type ParamsOf,
  type Submessage,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { lockSubmessages } from '../../platform/database/locks.ts'
import { listCurrentAudiences, lockMessageAgainstMoveAndDeletion } from '../lock-message.ts'
import { checkAction, parseSubmessage } from './check-action.ts'
import { countSubmessageBytes, countSubmessages, insertSubmessage, type SubmessageTotals } from './queries.ts'

/**
 * Adds a submessage to a message that the actor may see now. The first submessage must come from
 * the message's sender; otherwise anyone could turn another user's message into a poll.
 */
export async function addSubmessage(
  app: App,
  actor: Actor,
  { message_id, msg_type, content }: ParamsOf<typeof api.messages.addSubmessage>,
): Promise<object> {
  if (Buffer.byteLength(content) > maxSubmessageBytes)
    throw new ApiError('SUBMESSAGE_TOO_LONG', { limit: maxSubmessageBytes })
  const { organization_id, user_id: sender_id } = actor
  return writeAs(app, actor, async (tx) => {
    const message = await lockMessageAgainstMoveAndDeletion(tx, actor, message_id)
    await lockSubmessages(tx, message_id)
    const totals = await countSubmessages(tx, actor, message)
    const isAuthor = message.sender_id === sender_id
    if (!isAuthor && !totals.has_started) throw new ApiError('SUBMESSAGE_NOT_ALLOWED')
    checkAction(totals.widget, parseSubmessage(content), isAuthor)
    checkLimits(totals, { msg_type, content })
    const submessage_id = await insertSubmessage(tx, actor, { message_id, msg_type, content })
    const event = { type: 'submessage', message_id, submessage_id, sender_id, msg_type, content }
    for (const { ids, ...audience } of await listCurrentAudiences(tx, actor, message))
      emit(tx, { organization_id, event, ...audience })
    return {}
  })
}

/** Throws if another submessage would exceed a limit of the message. */
function checkLimits(
  { count, bytes, own_count, own_bytes }: SubmessageTotals,
  added: Pick<Submessage, 'msg_type' | 'content'>,
): void {
  if (own_count >= maxOwnSubmessages || own_bytes + Buffer.byteLength(added.content) > maxOwnSubmessageBytes)
    throw new ApiError('OWN_SUBMESSAGES_TOO_MANY')
  if (count >= maxSubmessages || bytes + countSubmessageBytes(added) > maxTotalSubmessageBytes)
    throw new ApiError('SUBMESSAGES_TOO_MANY')
}
