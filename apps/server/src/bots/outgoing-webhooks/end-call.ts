import { ApiError } from '@oxbow/contract'
import { checkContent } from '../../messages/content/message-text.ts'
import { claimNotice } from '../../messages/send/notify-bot-owner.ts'
import { type OutgoingMessage, sendWithoutOwnerNotice } from '../../messages/send/post-message.ts'
import { type Actor, ActorChanged } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { type NoticeText, notice } from '../../streams/notice-text.ts'
import { callMetrics } from './metrics.ts'
import { notifyOwner } from './notify-owner.ts'
import { type CallAttempt, type CalledBot, deleteCall, type Place, releaseCall } from './queries.ts'
import type { Answer } from './read-answer.ts'

/** An attempt to call a bot, with what it is about. */
export interface Call {
  attempt: CallAttempt
  bot: CalledBot
  /** Where the message is that calls the bot. */
  place: Place
  actor: Actor
}

/** Thrown if another node has made the call meanwhile. */
class CallHasEnded extends Error {}

/**
 * Ends a call and posts what the bot says, in one transaction: so each call gets one reply, although its
 * request may be sent more than once.
 */
export async function endCall(app: App, call: Call, answer: Answer): Promise<void> {
  try {
    await post(app, call, answer)
    callMetrics(app).calls.inc({ outcome: answer.kind === 'failure' ? 'failed' : 'answered' })
  } catch (error) {
    if (error instanceof CallHasEnded) return
    // The next attempt uses the bot's new key or role.
    if (error instanceof ActorChanged) return releaseCall(app.db, call.attempt)
    if (!(error instanceof ApiError)) throw error
    if (error.is('INVALID_API_KEY')) return releaseCall(app.db, call.attempt)
    await endRefused(app, call, answer, error)
  }
}

async function post(app: App, { attempt, bot, place, actor }: Call, answer: Answer): Promise<void> {
  if (answer.kind === 'nothing') {
    await deleteCall(app.db, attempt)
    return
  }
  const alongside = async (tx: Tx) => {
    if (!(await deleteCall(tx, attempt))) throw new CallHasEnded()
    if (answer.kind === 'failure' && answer.forOwner !== undefined)
      await enqueueOwnerNotice(tx, attempt, bot, answer.forOwner)
  }
  const said =
    answer.kind === 'failure'
      ? { content: notice`Failure! ${answer.text}`.markdown }
      : { content: checkContent(answer.content, 'cut'), widgetContent: answer.widgetContent }
  const recipient: OutgoingMessage['recipient'] = place.is_private
    ? { kind: 'people', people: place.members ?? [] }
    : { kind: 'stream', stream: place.recipient_id }
  const message = { recipient, topic: place.topic, ...said, isReply: true, mayLackTopic: true }
  await sendWithoutOwnerNotice(app, actor, message, { alongside })
}

async function enqueueOwnerNotice(
  tx: Tx,
  { message_id }: CallAttempt,
  { organization_id, id, bot_owner_id: owner_id }: CalledBot,
  problem: NoticeText,
): Promise<void> {
  const bot = { organization_id, user_id: id }
  if (owner_id === null || !(await claimNotice(tx, bot))) return
  const content = notice`[A message](#narrow/near/${message_id}) called this bot, but ${problem}`.markdown
  await enqueue(tx, notifyOwner, { organization_id, bot_id: id, owner_id, message_id, content })
}

/** Says that the answer could not be posted. If this is refused too, nothing can be posted there. */
async function endRefused(app: App, call: Call, answer: Answer, { message }: ApiError): Promise<void> {
  const { attempt } = call
  if (answer.kind === 'reply') return endCall(app, call, { kind: 'failure', text: notice`${message}` })
  app.log.debug({ bot_id: attempt.bot_id, reason: message }, 'the reply of an outgoing webhook was refused')
  await deleteCall(app.db, attempt)
}
