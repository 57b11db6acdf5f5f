import { z } from 'zod'
import {
  bold,
  details,
  line,
  link,
  moment,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  read,
  text,
  unsupported,
  url,
  when,
} from '../../writing.ts'

export const issueActions = ['created', 'resolved', 'unresolved', 'assigned', 'ignored', 'archived'] as const

const assignee = optional(z.object({ type: optional(text), name: text }))

const schema = z.object({
  action: text,
  actor: optional(z.object({ name: text })),
  data: z.object({
    issue: z.object({
      title: text,
      web_url: optional(url),
      permalink: optional(url),
      level: optional(text),
      lastSeen: optional(moment),
      assignedTo: assignee,
    }),
  }),
})

export function translateIssue(payload: unknown): Outcome {
  const { action, actor, data } = read(schema, payload)
  const issueAction = issueActions.find((issueAction) => issueAction === action)
  if (issueAction === undefined) return unsupported(`issue_${action}`)
  const { issue } = data
  const issueLink = link(issue.title, issue.web_url ?? issue.permalink)
  const by = actor ? ` by ${bold(actor.name)}` : ''
  const to = issueAction === 'assigned' ? ` to ${bold(formatAssignee(issue.assignedTo))}` : ''
  const content =
    issueAction === 'created'
      ? paragraphs(
          `${bold('New issue')}: ${issueLink}`,
          details({
            Level: issue.level && line(issue.level),
            'Last seen': issue.lastSeen && when(issue.lastSeen),
            'Assigned to': line(formatAssignee(issue.assignedTo)),
          }),
        )
      : `Issue ${issueLink} was ${issueAction}${to}${by}.`
  return postMessages({ event: `issue_${issueAction}`, topic: issue.title, content })
}

function formatAssignee(assignee: { type?: string | undefined; name: string } | undefined): string {
  if (assignee === undefined) return 'no one'
  return assignee.type === 'team' ? `team ${assignee.name}` : assignee.name
}
