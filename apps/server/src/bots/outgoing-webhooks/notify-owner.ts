import { hash } from 'node:crypto'
import { ApiError, type MessageId, type OrganizationId, type UserId } from '@oxbow/contract'
import { sendWithoutOwnerNotice } from '../../messages/send/post-message.ts'
import { IdempotentReplay } from '../../platform/actor.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { toActor } from './actor.ts'
import { findBot } from './queries.ts'

interface OwnerNotice {
  organization_id: OrganizationId
  bot_id: UserId
  /** The owner when the call failed. The next owner must not get the answers of the previous server. */
  owner_id: UserId
  /** The message that called the bot. */
  message_id: MessageId
  content: string
}

/** Notifies the owner of a bot, in a private message of the bot, why it could not answer. */
export const notifyOwner: Job<OwnerNotice> = {
  name: 'notify-owner-of-outgoing-webhook',
  async run(app, { message_id, owner_id, content, ...key }) {
    const bot = await findBot(app.db, key)
    if (bot?.bot_owner_id !== owner_id) return
    // The job may run twice, but the owner gets one message.
    const idempotencyKey = makeKey(`call by ${message_id}`)
    const recipient = { kind: 'people', people: [owner_id] } as const
    await sendWithoutOwnerNotice(
      app,
      { ...toActor(app, bot), idempotencyKey },
      { recipient, topic: '', content },
    ).catch(ignoreRefusal)
  },
}

const makeKey = (key: string) => ({ key, fingerprint: hash('sha256', key, 'buffer'), isSaved: false })

/** Ignores that the owner was deactivated, or has the message already. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ApiError || error instanceof IdempotentReplay)) throw error
}
