import { hash } from 'node:crypto'
import { BotType, type OrganizationId, type UserId } from '@oxbow/contract'
import type { LookupData } from '@oxbow/markdown'
import { getRole, getSystemBot, type SystemAccount, type SystemBot } from '../identity/accounts/queries.ts'
import { createTopicLinker } from '../organization/linkifiers/cached-linkifiers.ts'
import { IdempotentReplay } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import type { NoticeReferences } from '../streams/notice-text.ts'
import {
  type Notices,
  type QueuedNotice,
  sendNotices as sendNoticesJob,
  sendNoticesOfBot as sendNoticesOfBotJob,
} from '../streams/notices.ts'
import { type RenderedContent, renderContent } from './content/message-text.ts'
import { messageSent, type PreparedMessage } from './send/message-events.ts'
import {
  type Destination,
  readSendPreconditions,
  type Sender,
  type SendPreconditions,
} from './send/preconditions.ts'
import { sendWithPreconditions, type WriteOptions, writeMessage } from './send/write-message.ts'
import type { Reader } from './visibility.ts'

/** Job that sends the notices that other features queued, as messages of the notification bot. */
export const sendNotices: Job<Notices> = {
  name: sendNoticesJob.name,
  async run(app, { notices, ...call }) {
    for (const [index, notice] of notices.entries()) {
      for (const to of listDestinations(notice)) {
        const id = 'stream' in to ? to.stream : to.people[0]
        const key = `notice ${call.id} ${index} ${id}`
        const fingerprint = hash('sha256', key, 'buffer')
        // The job may run twice, but each notice must be sent only once.
        const idempotencyKey = { key, fingerprint, isSaved: false }
        const sending = sendNotice(app, { ...call, notice, to }, { idempotencyKey })
        await sending.catch(ignoreAlreadySent)
      }
    }
  },
}

/** Job that sends notices as messages of the bot that is given in the job's data. */
export const sendNoticesOfBot: Job<Notices> = { name: sendNoticesOfBotJob.name, run: sendNotices.run }

/** Lists one destination per user, so that each user gets the notice in a separate conversation. */
function listDestinations(notice: QueuedNotice): Destination[] {
  if ('users' in notice) return notice.users.map((id) => ({ people: [id] }))
  return [{ stream: notice.stream_id }]
}

export interface NoticeDelivery {
  organization_id: OrganizationId
  read_by: UserId
  isNews?: boolean
  from?: SystemBot
  notice: QueuedNotice
  /** People and streams in the text. If this is absent, the text is read as if `read_by` had written it. */
  references?: NoticeReferences
  to: Destination
}

/**
 * Sends a notice. Returns false and sends nothing if the recipient no longer exists or is inactive.
 * The notice claims the uploads in its text that the user `read_by` may read.
 */
export async function sendNotice(
  app: App,
  delivery: NoticeDelivery,
  options: Pick<WriteOptions, 'idempotencyKey' | 'alongside'>,
): Promise<boolean> {
  const { organization_id, read_by, from = 'notification' } = delivery
  const bot = await getSystemBot(app.db, from)
  const sender: Sender = { organization_id, user_id: bot.id, credential: null }
  const to = withSender(delivery.to, bot.id)
  const role = await getRole(app.db, { organization_id, user_id: read_by })
  const writer = { organization_id, user_id: read_by, role }
  const read = () => readSendPreconditions(app.db, sender, to)
  return sendWithPreconditions<boolean>(undefined, read, async (known) => {
    const message = await prepareNotice(app, delivery, bot, writer, known.preconditions)
    if (!message) return { sent: false }
    const events = messageSent(app, organization_id, message)
    const sending = { sender, to, known, message, events, writer }
    const outcome = await writeMessage(app.db, sending, { caller: read_by, ...options })
    return typeof outcome === 'number' ? { sent: true } : { changedTo: outcome }
  })
}

function ignoreAlreadySent(error: unknown): undefined {
  if (!(error instanceof IdempotentReplay)) throw error
}

function withSender(to: Destination, bot: UserId): Destination {
  return 'stream' in to ? to : { people: [...to.people, bot].sort((a, b) => a - b) }
}

async function prepareNotice(
  app: App,
  { organization_id, read_by, isNews, notice, references, to }: NoticeDelivery,
  bot: SystemAccount,
  writer: Reader,
  preconditions: SendPreconditions,
): Promise<PreparedMessage | undefined> {
  const { stream, people } = preconditions
  if ('stream' in to && (!stream || stream.is_archived)) return undefined
  if (people?.some(({ is_active }) => !is_active)) return undefined
  const settings = {
    ...preconditions.organization,
    translate_emoticons: false,
    origin: app.config.external_url ?? '',
    ...(references && { references: toLookupData(references) }),
  }
  const topic = 'topic' in notice ? notice.topic : ''
  const linkTopic = await createTopicLinker(app, organization_id)
  return {
    organization: preconditions.organization,
    sender: {
      ...bot,
      delivery_email: bot.email,
      bot_type: BotType.generic,
      avatar_source: 'external',
      avatar_version: 1,
    },
    to: stream ?? people ?? [],
    topic,
    topic_links: linkTopic(topic),
    content: notice.content,
    client: 'Internal',
    rendered: withoutMentions(await renderContent(app, writer, notice.content, settings)),
    readers: isNews ? [] : [read_by],
  }
}

const toLookupData = ({ people, streams }: NoticeReferences): LookupData => ({
  people: people.map(({ id, full_name }) => ({ id, fullName: full_name })),
  streams,
})

/** Removes all mentions and alerts, because a notice names people without notifying them. */
function withoutMentions(rendered: RenderedContent): RenderedContent {
  const noUsers: ReadonlySet<UserId> = new Set()
  return {
    ...rendered,
    mentioned: noUsers,
    alerted: noUsers,
    mentionedBots: [],
    mentionedWebhooks: [],
    mentions_wildcard: false,
  }
}
