import { z } from 'zod'
import { assignmentMessage } from '../../git/assignments.ts'
import { commentMessage } from '../../git/comments.ts'
import { milestoneMessage } from '../../git/milestones.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import {
  code,
  id,
  line,
  link,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
  url,
} from '../../writing.ts'
import { milestone, repositoryFields, type Translator } from './delivery.ts'

const userSchema = z.object({ login: text })

const issue = z.object({ html_url: url, number: id, title: text })

const issueEvent = z.object({
  ...repositoryFields,
  action: text,
  issue: issue.extend({ body: optional(text), assignee: optional(userSchema) }),
  assignee: optional(userSchema),
  label: optional(z.object({ name: text })),
  milestone: optional(milestone),
  changes: optional(
    z.object({
      new_issue: z.object({ html_url: url }),
      new_repository: z.object({ full_name: text }),
    }),
  ),
})
type IssueEvent = z.output<typeof issueEvent>

export const issueChanged: Translator = ({ payload, hasTopic }) => {
  const event = read(issueEvent, payload)
  const item = toNumberedItem(event.issue)
  const content = describe(event, item, hasTopic) ?? describePlainly(event, item, hasTopic)
  return postMessages({ topic: numberedTopic(event.repository.name, item), content })
}

function toNumberedItem({ html_url, number, title }: z.output<typeof issue>): NumberedItem {
  return { type: 'Issue', number, title, url: html_url }
}

/** Describes an action that involves a label, a milestone or another user, if the event names it. */
function describe(event: IssueEvent, item: NumberedItem, showsTitle: boolean): string | undefined {
  const { action, sender, assignee, label, milestone, changes } = event
  const actor = sender.login
  const linked = linkNumbered(item, showsTitle)
  switch (action) {
    case 'assigned':
    case 'unassigned':
      return assignee && assignmentMessage({ actor, action, linked, assignee: assignee.login })
    case 'labeled':
      return label && `${line(actor)} added the label ${code(label.name)} to ${linked}.`
    case 'unlabeled':
      return label && `${line(actor)} removed the label ${code(label.name)} from ${linked}.`
    case 'milestoned':
    case 'demilestoned':
      return milestoneMessage({ actor, action, linked, milestone })
    case 'transferred':
      return changes && `${line(actor)} transferred ${linked} to ${linkNewIssue(changes)}.`
  }
}

const linkNewIssue = ({ new_issue, new_repository }: NonNullable<IssueEvent['changes']>): string =>
  link(new_repository.full_name, new_issue.html_url)

function describePlainly(
  { action, sender, issue }: IssueEvent,
  item: NumberedItem,
  showsTitle: boolean,
): string {
  return changeMessage({
    actor: sender.login,
    action: line(replaceUnderscores(action)),
    item,
    showsTitle,
    assignees: issue.assignee && [issue.assignee.login],
    description: issue.body,
  })
}

const issueCommentEvent = z.object({
  ...repositoryFields,
  action: text,
  issue: issue.extend({ pull_request: optional(z.object({})) }),
  comment: z.object({ html_url: url, body: optional(text) }),
})

/** GitHub reports comments on pull requests as comments on issues with an additional field. */
export const issueComment: Translator = ({ payload, hasTopic }) => {
  const { action, comment, issue, repository, sender } = read(issueCommentEvent, payload)
  const item = { ...toNumberedItem(issue), type: issue.pull_request ? 'PR' : 'Issue' }
  const content = commentMessage({
    actor: sender.login,
    action: action === 'created' ? 'commented' : replaceUnderscores(action),
    url: comment.html_url,
    target: linkNumbered(item, hasTopic),
    body: comment.body,
  })
  return postMessages({ topic: numberedTopic(repository.name, item), content })
}
