import { hash } from 'node:crypto'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { createTopicLinker } from '../linkifiers/link-topics.ts'
import { IdempotentReplay } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Job } from '../platform/jobs.ts'
import { type Notice, type Notices, sendNotices as sendNoticesJob } from '../streams/notices.ts'
import { getNotificationBot, type SystemAccount } from './accounts.ts'
import { getWriterRole } from './content/queries.ts'
import { type RenderedContent, renderContent } from './content/render-content.ts'
import { type Destination, executeSend, readSendPreconditions, type Sender } from './send/execute-send.ts'
import { buildDraft, type PreparedMessage } from './send/message-record.ts'

/** Sends the notices that other features queued, as messages of the notification bot. */
export const sendNotices: Job<Notices> = {
  name: sendNoticesJob.name,
  async run(app, { notices, ...call }) {
    for (const [index, notice] of notices.entries()) {
      for (const to of listDestinations(notice)) {
        const id = 'stream' in to ? to.stream : to.people[0]
        await sendNotice(app, { ...call, notice, to, key: `notice ${call.id} ${index} ${id}` })
      }
    }
  },
}

/** Users get a notice in separate conversations, one per user. */
function listDestinations(notice: Notice): Destination[] {
  if ('users' in notice) return notice.users.map((id) => ({ people: [id] }))
  return [{ stream: notice.stream_id }]
}

interface NoticeDelivery {
  organization_id: OrganizationId
  read_by: UserId
  isNews?: boolean
  notice: Notice
  to: Destination
  /** Idempotency key: the job may run twice, but the notice is sent once. */
  key: string
}

async function sendNotice(app: App, delivery: NoticeDelivery): Promise<void> {
  const { organization_id, read_by, key } = delivery
  const bot = await getNotificationBot(app.db)
  const sender: Sender = { organization_id, user_id: bot.id, api_key_hash: null }
  const to = withSender(delivery.to, bot.id)
  const idempotencyKey = { key, fingerprint: hash('sha256', key, 'buffer'), isSaved: false }
  let known = await readSendPreconditions(app.db, sender, to)
  for (;;) {
    const sent = await prepareNotice(app, delivery, bot, known.preconditions)
    // The recipient no longer exists or is inactive.
    if (!sent) return
    const draft = buildDraft(app, organization_id, sent)
    const outcome = await executeSend(app.db, sender, to, known, draft, {
      caller: read_by,
      idempotencyKey,
    }).catch(ignoreAlreadySent)
    if (outcome === undefined || typeof outcome === 'number') return
    known = outcome
  }
}

function ignoreAlreadySent(error: unknown): undefined {
  if (!(error instanceof IdempotentReplay)) throw error
}

function withSender(to: Destination, bot: UserId): Destination {
  return 'stream' in to ? to : { people: [...to.people, bot].sort((a, b) => a - b) }
}

async function prepareNotice(
  app: App,
  { organization_id, read_by, isNews, notice, to }: NoticeDelivery,
  bot: SystemAccount,
  preconditions: PreparedMessage['preconditions'],
): Promise<PreparedMessage | undefined> {
  const { stream, people } = preconditions
  if ('stream' in to && (!stream || stream.is_archived)) return undefined
  if (people?.some(({ is_active }) => !is_active)) return undefined
  const role = await getWriterRole(app.db, { organization_id, user_id: read_by })
  const writer = { organization_id, user_id: read_by, role }
  const settings = {
    ...preconditions.organization,
    translate_emoticons: false,
    origin: app.config.external_url ?? '',
  }
  const topic = 'topic' in notice ? notice.topic : ''
  const linkTopic = await createTopicLinker(app, organization_id)
  return {
    preconditions,
    sender: {
      ...bot,
      delivery_email: bot.email,
      bot_type: 1,
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

/** Removes all mentions and alerts: a name in a notice may contain mention syntax. */
function withoutMentions(rendered: RenderedContent): RenderedContent {
  const noUsers: ReadonlySet<UserId> = new Set()
  return { ...rendered, mentioned: noUsers, alerted: noUsers, mentionedBots: [], mentions_wildcard: false }
}
