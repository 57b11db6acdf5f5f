import { z } from 'zod'
import { commentMessage } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, optional, postMessages, read, replaceUnderscores, text, url } from '../../writing.ts'
import { describeAction, describeAssociation } from './actions.ts'
import { account, repositoryFields, type Translator } from './delivery.ts'

const issue = z.object({ number: id, title: text })

const issueEvent = z.object({
  ...repositoryFields,
  action: text,
  issue: issue.extend({
    body: optional(text),
    assignee: optional(account),
    milestone: optional(z.object({ title: text })),
  }),
})

const actionsWithDetails = new Set(['opened', 'closed', 'reopened', 'edited'])

export const issueChanged: Translator = ({ payload, hasTopic }) => {
  const { action, issue, repository, sender } = read(issueEvent, payload)
  const { number, title, assignee, milestone, body } = issue
  const item: NumberedItem = { type: 'Issue', number, title, url: `${repository.html_url}/issues/${number}` }
  const event = { actor: sender, action, item, showsTitle: hasTopic }
  const showsDetails = actionsWithDetails.has(action)
  return postMessages({
    topic: numberedTopic(repository.name, item),
    content:
      describeAssociation({ ...event, assignee, milestone }) ??
      changeMessage({
        ...event,
        action: describeAction(action),
        assignees: showsDetails && assignee ? [assignee] : [],
        description: showsDetails ? body : undefined,
      }),
  })
}

const commentEvent = z.object({
  ...repositoryFields,
  action: text,
  is_pull: optional(z.boolean()),
  issue,
  comment: z.object({ html_url: url, body: optional(text) }),
})

export const issueComment: Translator = ({ payload, hasTopic }) => {
  const { action, comment, is_pull, issue, repository, sender } = read(commentEvent, payload)
  const { number, title } = issue
  const item: NumberedItem = is_pull
    ? { type: 'PR', number, title, url: `${repository.html_url}/pulls/${number}` }
    : { type: 'Issue', number, title, url: `${repository.html_url}/issues/${number}` }
  return postMessages({
    topic: numberedTopic(repository.name, item),
    content: commentMessage({
      actor: sender,
      action: action === 'created' ? 'commented' : replaceUnderscores(action),
      url: comment.html_url,
      target: linkNumbered(item, hasTopic),
      body: comment.body,
    }),
  })
}
