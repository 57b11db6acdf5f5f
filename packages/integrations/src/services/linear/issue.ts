import { z } from 'zod'
import {
  details,
  id,
  line,
  link,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  quote,
  read,
  sentence,
  text,
  url,
} from '../../writing.ts'

export const actions = ['create', 'update', 'remove'] as const
export type Action = (typeof actions)[number]

const schema = z.object({
  url: optional(url),
  data: z.object({
    title: text,
    number: id,
    parentId: optional(id),
    description: optional(text),
    priorityLabel: optional(text),
    team: optional(z.object({ name: text })),
    assignee: optional(z.object({ name: text })),
    state: optional(z.object({ name: text })),
  }),
})
type Issue = z.output<typeof schema>['data']

const verbs = { create: 'created', update: 'updated', remove: 'removed' }

export function translateIssue(payload: unknown, action: Action, hasTopic: boolean): Outcome {
  const { data: issue, url } = read(schema, payload)
  const kind = issue.parentId === undefined ? 'Issue' : 'Sub-Issue'
  const label = `${kind} #${issue.number}${hasTopic ? ` ${issue.title}` : ''}`
  const team = issue.team ? ` ${action === 'remove' ? 'from' : 'in'} team ${line(issue.team.name)}` : ''
  // A removed issue has no page to link to.
  const issueLink = link(label, action === 'remove' ? undefined : url)
  const headline = sentence(`${issueLink} was ${verbs[action]}${team}`)
  return postMessages({
    event: `issue_${action}`,
    topic: `${kind}: ${issue.title}`,
    content: action === 'remove' ? headline : paragraphs(headline, describe(issue), state(issue)),
  })
}

const describe = ({ description }: Issue): string | undefined => description && quote(description)

function state({ priorityLabel, assignee, state }: Issue): string {
  return details({
    Priority: priorityLabel && priorityLabel !== 'No priority' ? line(priorityLabel) : undefined,
    Assignee: assignee && line(assignee.name),
    Status: state && line(state.name),
  })
}
