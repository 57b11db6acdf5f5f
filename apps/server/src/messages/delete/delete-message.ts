import {
  ApiError,
  allowedBy,
  type api,
  type Decision,
  isAdministrator,
  isModerator,
  type ParamsOf,
  refusedBy,
  type StreamId,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { RetryTransaction } from '../../platform/database/transaction.ts'
import { type AccessedMessage, accessMessageToChange, lockMessage } from '../access.ts'
import { getConversationAudience, listMessageAudiences } from '../audiences.ts'
import { updateFirstMessage } from '../first-message.ts'
import { lockStreamsExclusively } from '../lock-streams.ts'
import { type GivesRight, loadMessageRights } from '../rights.ts'
import { deleteMessages } from './delete-rows.ts'
import { emitStarRemovals } from './emit-star-removals.ts'
import { messagesDeleted, privateMessageDeleted } from './events.ts'
import { hasMessage, lockMessagesExclusively } from './queries.ts'

export async function deleteMessage(
  app: App,
  actor: Actor,
  { message_id }: ParamsOf<typeof api.messages.remove>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    const rules = await getOrganization(tx, actor.organization_id)
    const accessed = await accessMessageToChange(tx, actor, message_id)
    requireDeletePermission(rules, actor, accessed, await loadMessageRights(tx, actor, accessed))
    if (accessed.is_private) await deletePrivate(tx, actor, accessed)
    else await deleteFromStream(tx, actor, accessed)
    return {}
  })
}

type Rules = Pick<OrganizationRow, 'allow_message_deleting' | 'message_content_delete_limit_seconds'>

type Deleter = Pick<Actor, 'role' | 'user_id'>
type DeletableMessage = Pick<AccessedMessage, 'sender_id' | 'is_private' | 'age'>

export function decideMayDelete(
  rules: Rules,
  { role, user_id }: Deleter,
  { sender_id, is_private, age }: DeletableMessage,
  gives: GivesRight,
): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  if (isModerator(role) && !is_private) return allowedBy('moderator')
  if (gives('can_delete_any_message_group')) return allowedBy('stream_right')
  if (sender_id !== user_id) return refusedBy('others_message')
  if (!rules.allow_message_deleting && !gives('can_delete_own_message_group'))
    return refusedBy('deleting_disabled')
  const limit = rules.message_content_delete_limit_seconds
  return limit > 0 && age > limit ? refusedBy('delete_time_over') : allowedBy('own_message')
}

function requireDeletePermission(
  rules: Rules,
  deleter: Deleter,
  message: DeletableMessage,
  gives: GivesRight,
): void {
  const { allowed, rule } = decideMayDelete(rules, deleter, message, gives)
  if (allowed) return
  throw new ApiError(rule === 'delete_time_over' ? 'DELETE_TIME_OVER' : 'CANNOT_DELETE_MESSAGE')
}

async function deletePrivate(tx: Tx, actor: Actor, accessed: AccessedMessage): Promise<void> {
  const { organization_id } = actor
  const message = await lockOrReportDeleted(tx, actor, accessed)
  const audience = await getConversationAudience(tx, organization_id, message)
  await deleteMessages(tx, organization_id, [message.id])
  emit(tx, privateMessageDeleted(organization_id, message, audience))
}

async function deleteFromStream(tx: Tx, actor: Actor, accessed: AccessedMessage): Promise<void> {
  const id = accessed.recipient_id as StreamId
  const stream = (await lockStreamsExclusively(tx, actor, [id])).get(id)
  const message = await lockOrReportDeleted(tx, actor, accessed)
  if (!stream || message.recipient_id !== id) throw new RetryTransaction('the message was moved meanwhile')
  await lockMessagesExclusively(tx, actor.organization_id, [message.id])
  const audiences = await listMessageAudiences(tx, stream, [message])
  await emitStarRemovals(tx, actor.organization_id, [message.id])
  await deleteMessages(tx, actor.organization_id, [message.id])
  for (const audience of audiences) {
    for (const emission of messagesDeleted(stream, message.topic, audience)) emit(tx, emission)
  }
  await updateFirstMessage(tx, stream)
}

/** Locks the message. Throws `MESSAGE_ALREADY_DELETED` if another request deleted it meanwhile. */
async function lockOrReportDeleted(tx: Tx, actor: Actor, { id }: AccessedMessage): Promise<AccessedMessage> {
  return lockMessage(tx, actor, id).catch(async (error: unknown) => {
    const isGone = error instanceof ApiError && !(await hasMessage(tx, actor.organization_id, id))
    throw isGone ? new ApiError('MESSAGE_ALREADY_DELETED') : error
  })
}
