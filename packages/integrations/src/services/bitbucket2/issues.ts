import { z } from 'zod'
import { commentMessage } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type Numbered } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, optional, read, say, text } from '../../writing.ts'
import { account, comment, inRepository, page, type Translate } from './delivery.ts'

const issueEvent = z.object({
  ...inRepository,
  issue: z.object({
    id,
    title: text,
    links: page,
    content: optional(z.object({ raw: text })),
    assignee: optional(account),
  }),
})
type Issue = z.output<typeof issueEvent>['issue']

const numbered = ({ id, title, links }: Issue): Numbered => ({
  type: 'Issue',
  number: id,
  title,
  url: links,
})

export const issueChanged =
  (action: 'created' | 'updated'): Translate =>
  ({ payload, hasTopic }) => {
    const { actor, issue, repository } = read(issueEvent, payload)
    const thing = numbered(issue)
    return say({
      topic: numberedTopic(repository.name, thing),
      content: changeMessage({
        actor,
        action,
        thing,
        showsTitle: hasTopic,
        assignees: action === 'created' && issue.assignee ? [issue.assignee] : [],
        description: action === 'created' ? issue.content?.raw : undefined,
      }),
    })
  }

const commentEvent = issueEvent.extend({ comment })

export const issueCommented: Translate = ({ payload, hasTopic }) => {
  const { actor, comment, issue, repository } = read(commentEvent, payload)
  const thing = numbered(issue)
  return say({
    topic: numberedTopic(repository.name, thing),
    content: commentMessage({
      actor,
      url: comment.links,
      on: linkNumbered(thing, hasTopic),
      words: comment.content.raw,
    }),
  })
}
