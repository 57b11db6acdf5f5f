import { z } from 'zod'
import { withEvent } from '../../git/outcomes.ts'
import { MissingFieldError } from '../../kernel/payload.ts'
import { bodyHmac, ignore, integration, optional, read, text, unsupported } from '../../writing.ts'
import { transition } from './changes.ts'
import { commentCreated, commentDeleted, commentUpdated } from './comments.ts'
import { payload, type Translator } from './delivery.ts'
import { comment, issue } from './issue.ts'
import { issueCreated, issueDeleted, issueUpdated } from './issues.ts'
import { listMentioned } from './markup.ts'

const translators: ReadonlyMap<string, Translator> = new Map([
  ['jira:issue_created', issueCreated],
  ['jira:issue_updated', issueUpdated],
  ['jira:issue_deleted', issueDeleted],
  ['comment_created', commentCreated],
  ['comment_updated', commentUpdated],
  ['comment_deleted', commentDeleted],
])

const ignoredEvents = new Set([
  'attachment_created',
  'issuelink_created',
  'issuelink_deleted',
  'sprint_closed',
  'sprint_started',
  'worklog_created',
  'worklog_updated',
])

const hints = z.object({ webhookEvent: optional(text), transition: optional(transition) })

/** Returns the name of the event. Webhooks of workflows have a transition instead. */
function nameEvent(payload: unknown): string {
  const { webhookEvent, transition } = read(hints, payload)
  if (webhookEvent === undefined && transition === undefined) throw new MissingFieldError('webhookEvent')
  return webhookEvent ?? 'jira:issue_updated'
}

const peoplePayload = z.object({ issue: optional(issue), comment: optional(comment) })

export const service = integration({
  title: 'Jira',
  client: 'JIRA',
  category: 'Project management',
  signature: bodyHmac('X-Hub-Signature', { prefix: 'sha256=' }),
  deliveryId: { header: 'X-Atlassian-Webhook-Identifier' },
  events: [...translators.keys()],
  escapesTwice: true,
  payload,
  people(payload) {
    const { comment, issue } = read(peoplePayload, payload)
    const address = issue?.fields.assignee?.emailAddress
    return [...(address ? [address] : []), ...listMentioned(comment?.body ?? '')]
  },
  translate(delivery) {
    const event = nameEvent(delivery.payload)
    if (ignoredEvents.has(event)) return ignore()
    const translator = translators.get(event)
    return translator ? withEvent(translator(delivery), event) : unsupported(event)
  },
})
