import { ApiError, defaultGeneration } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { type Actor, ActorChanged } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { afterCommit } from '../../../platform/database/transaction.ts'
import { sendNotice } from '../../notices.ts'
import { type OutgoingMessage, sendWithoutOwnerNotice } from '../../send/post-message.ts'
import { refuseBotWithSecret } from '../../send/send-message.ts'
import { scheduledMessageRemoved } from '../events.ts'
import { ChangedMeanwhile, type DueMessage, deleteVersion } from '../queries.ts'
import { getDeliveryMetrics } from './metrics.ts'

/**
 * Sends a due message with the current rights of its sender, and deletes the scheduled message in
 * the same transaction. So the message is sent only once, even if several nodes try it repeatedly.
 * Returns the error if the message is refused. Does nothing if the scheduled message was sent,
 * deleted or changed meanwhile.
 */
export async function deliverMessage(app: App, message: DueMessage): Promise<ApiError | undefined> {
  const alongside = async (tx: Tx) => {
    const deleted = await deleteVersion(tx, message)
    if (!deleted) throw new ChangedMeanwhile()
    emit(tx, scheduledMessageRemoved(message))
    afterCommit(tx, () => getDeliveryMetrics(app).delay.observe(deleted.secondsLate))
  }
  try {
    if (message.is_organization_deactivated) throw new ApiError('ORGANIZATION_DEACTIVATED')
    if (!message.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
    await (message.is_reminder ? sendReminder : sendAsSender)(app, message, alongside)
    return undefined
  } catch (error) {
    // The next attempt uses the sender's new key or role.
    if (error instanceof ChangedMeanwhile || error instanceof ActorChanged) return undefined
    if (!(error instanceof ApiError)) throw error
    return error.is('INVALID_API_KEY') ? undefined : error
  }
}

type Alongside = (tx: Tx) => Promise<void>

async function sendAsSender(app: App, message: DueMessage, alongside: Alongside): Promise<void> {
  const actor = toActor(message)
  const { stream_id, people, topic, content, widget_content, is_read_by_sender } = message
  // A bot with a secret may still have messages: it scheduled them while it got the secret, or an earlier release
  // allowed them.
  await refuseBotWithSecret(app, actor)
  const recipient: OutgoingMessage['recipient'] =
    stream_id === null ? { kind: 'people', people: people ?? [] } : { kind: 'stream', stream: stream_id }
  const widgetContent = widget_content ?? undefined
  const outgoing = { recipient, topic, content, widgetContent, isReadBySender: is_read_by_sender }
  await sendWithoutOwnerNotice(app, actor, outgoing, { alongside })
}

async function sendReminder(app: App, message: DueMessage, alongside: Alongside): Promise<void> {
  const { organization_id, sender_id, content } = message
  const notice = { users: [sender_id], content }
  const delivery = { organization_id, read_by: sender_id, isNews: true, notice, to: { people: [sender_id] } }
  if (!(await sendNotice(app, delivery, { alongside }))) throw new ApiError('ACCOUNT_DEACTIVATED')
}

/** Builds an actor from the sender's current state and the client that scheduled the message. */
function toActor(message: DueMessage): Actor {
  const { organization_id, sender_id, role, bot_type, api_key_hash, subdomain, origin, client } = message
  return {
    organization_id,
    user_id: sender_id,
    role,
    bot_type,
    credential: { kind: 'key', hash: api_key_hash },
    subdomain,
    origin,
    client,
    address: '',
    legacyNames: false,
    legacyVersions: false,
    generation: defaultGeneration,
  }
}
