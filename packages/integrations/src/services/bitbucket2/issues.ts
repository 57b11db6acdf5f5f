import { z } from 'zod'
import { commentMessage } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, optional, postMessages, read, text } from '../../writing.ts'
import { account, comment, page, repositoryFields, type Translator } from './delivery.ts'

const issueEvent = z.object({
  ...repositoryFields,
  issue: z.object({
    id,
    title: text,
    links: page,
    content: optional(z.object({ raw: text })),
    assignee: optional(account),
  }),
})
type Issue = z.output<typeof issueEvent>['issue']

const toNumberedItem = ({ id, title, links }: Issue): NumberedItem => ({
  type: 'Issue',
  number: id,
  title,
  url: links,
})

export const issueChanged =
  (action: 'created' | 'updated'): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, issue, repository } = read(issueEvent, payload)
    const item = toNumberedItem(issue)
    return postMessages({
      topic: numberedTopic(repository.name, item),
      content: changeMessage({
        actor,
        action,
        item,
        showsTitle: hasTopic,
        assignees: action === 'created' && issue.assignee ? [issue.assignee] : [],
        description: action === 'created' ? issue.content?.raw : undefined,
      }),
    })
  }

const commentEvent = issueEvent.extend({ comment })

export const issueCommented: Translator = ({ payload, hasTopic }) => {
  const { actor, comment, issue, repository } = read(commentEvent, payload)
  const item = toNumberedItem(issue)
  return postMessages({
    topic: numberedTopic(repository.name, item),
    content: commentMessage({
      actor,
      url: comment.links,
      target: linkNumbered(item, hasTopic),
      body: comment.content.raw,
    }),
  })
}
