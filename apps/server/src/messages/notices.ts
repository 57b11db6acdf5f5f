import { hash } from 'node:crypto'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { topicLinker } from '../linkifiers/link-topics.ts'
import { AlreadyAnswered } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Job } from '../platform/jobs.ts'
import { type Notice, type Notices, sendNotices as noticesLeft } from '../streams/notices.ts'
import { getNotificationBot, type SystemAccount } from './accounts.ts'
import { getWriterRole } from './content/queries.ts'
import { type RenderedContent, renderContent } from './content/render-content.ts'
import { callSend, type Destination, readSendFacts, type Sender } from './send/call-send.ts'
import { draftOf, type Sent } from './send/message-record.ts'

/** What others left for the notification bot to say becomes messages. */
export const sendNotices: Job<Notices> = {
  name: noticesLeft.name,
  async run(app, { notices, ...call }) {
    for (const [place, notice] of notices.entries()) {
      for (const to of destinationsOf(notice)) {
        const id = 'stream' in to ? to.stream : to.people[0]
        await say(app, { ...call, notice, to, key: `notice ${call.id} ${place} ${id}` })
      }
    }
  },
}

/** People each hear it for themselves. */
function destinationsOf(notice: Notice): Destination[] {
  if ('users' in notice) return notice.users.map((id) => ({ people: [id] }))
  return [{ stream: notice.stream_id }]
}

interface Saying {
  organization_id: OrganizationId
  read_by: UserId
  isNews?: boolean
  notice: Notice
  to: Destination
  /** The job may run again, and must not say it again. */
  key: string
}

async function say(app: App, saying: Saying): Promise<void> {
  const { organization_id, read_by, key } = saying
  const bot = await getNotificationBot(app.db)
  const sender: Sender = { organization_id, user_id: bot.id, api_key_hash: null }
  const to = withSender(saying.to, bot.id)
  const repetition = { key, fingerprint: hash('sha256', key, 'buffer'), isKept: false }
  let known = await readSendFacts(app.db, sender, to)
  for (;;) {
    const sent = await prepare(app, saying, bot, known.facts)
    // Whoever or whatever it was for is gone.
    if (!sent) return
    const draft = draftOf(app, organization_id, sent)
    const outcome = await callSend(app.db, sender, to, known, draft, { caller: read_by, repetition }).catch(
      ifNotSaid,
    )
    if (outcome === undefined || typeof outcome === 'number') return
    known = outcome
  }
}

function ifNotSaid(error: unknown): undefined {
  if (!(error instanceof AlreadyAnswered)) throw error
}

function withSender(to: Destination, bot: UserId): Destination {
  return 'stream' in to ? to : { people: [...to.people, bot].sort((a, b) => a - b) }
}

async function prepare(
  app: App,
  { organization_id, read_by, isNews, notice, to }: Saying,
  bot: SystemAccount,
  facts: Sent['facts'],
): Promise<Sent | undefined> {
  const { stream, people } = facts
  if ('stream' in to && (!stream || stream.is_archived)) return undefined
  if (people?.some(({ is_active }) => !is_active)) return undefined
  const role = await getWriterRole(app.db, { organization_id, user_id: read_by })
  const writer = { organization_id, user_id: read_by, role }
  const settings = {
    ...facts.organization,
    translate_emoticons: false,
    origin: app.config.external_url ?? '',
  }
  const topic = 'topic' in notice ? notice.topic : ''
  const linkTopic = await topicLinker(app, organization_id)
  return {
    facts,
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
    rendered: quiet(await renderContent(app, writer, notice.content, settings)),
    readers: isNews ? [] : [read_by],
  }
}

/** Names in a notice may hold anything, which must call nobody. */
function quiet(rendered: RenderedContent): RenderedContent {
  const nobody: ReadonlySet<UserId> = new Set()
  return { ...rendered, mentioned: nobody, alerted: nobody, calledBots: [], mentions_wildcard: false }
}
