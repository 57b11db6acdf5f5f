import { z } from 'zod'
import { quoting } from '../../git/comments.ts'
import { PayloadLacks } from '../../kernel/payload.ts'
import { strike } from '../../markdown/strike.ts'
import { bold, line, optional, read, say } from '../../writing.ts'
import type { Translate } from './delivery.ts'
import { author, comment, issue, issueTopic, linkIssue } from './issue.ts'
import { convertMarkup } from './markup.ts'

const commentEvent = z.object({ issue: optional(issue), comment: comment.extend({ author }) })
type CommentEvent = z.output<typeof commentEvent>

export const commentCreated: Translate = ({ payload, people }) => {
  const event = read(commentEvent, payload)
  const { topic, title } = placeOf(event)
  return say({
    topic,
    content: quoting(
      `${line(event.comment.author)} commented on ${title}`,
      event.comment.body && convertMarkup(event.comment.body, (name) => people.get(name)),
    ),
  })
}

export const commentUpdated: Translate = ({ payload, people }) => {
  const event = read(commentEvent, payload)
  const { author, body, updateAuthor } = event.comment
  const { topic, title } = placeOf(event)
  return say({
    topic,
    content: quoting(
      `${line(updateAuthor ?? author)} edited a comment on ${title}`,
      body && convertMarkup(body, (name) => people.get(name)),
    ),
  })
}

/** Jira does not send the user who deleted a comment. */
export const commentDeleted: Translate = ({ payload }) => {
  const event = read(commentEvent, payload)
  const { author, body } = event.comment
  const { topic, title } = placeOf(event)
  return say({
    topic,
    content: quoting(`The comment of ${line(author)} on ${title} was deleted`, body && strike(body)),
  })
}

function placeOf({ comment, issue }: CommentEvent): { topic: string; title: string } {
  if (issue) return { topic: issueTopic(issue), title: linkIssue(issue, true) }
  // …/issue/10024/comment/10117
  const id = comment.self?.split('/').at(-3)
  if (!id) throw new PayloadLacks('issue')
  return { topic: `Issue ${id}`, title: `issue ${bold(id)}` }
}
