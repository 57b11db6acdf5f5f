import { z } from 'zod'
import { withQuote } from '../../git/comments.ts'
import { MissingFieldError } from '../../kernel/payload.ts'
import { strike } from '../../markdown/strike.ts'
import { bold, line, optional, postMessages, read } from '../../writing.ts'
import type { Translator } from './delivery.ts'
import { author, comment, issue, issueTopic, linkIssue } from './issue.ts'
import { convertMarkup } from './markup.ts'

const commentEvent = z.object({ issue: optional(issue), comment: comment.extend({ author }) })
type CommentEvent = z.output<typeof commentEvent>

export const commentCreated: Translator = ({ payload, people }) => {
  const event = read(commentEvent, payload)
  const { topic, title } = describeIssue(event)
  return postMessages({
    topic,
    content: withQuote(
      `${line(event.comment.author)} commented on ${title}`,
      event.comment.body && convertMarkup(event.comment.body, (name) => people.get(name)),
    ),
  })
}

export const commentUpdated: Translator = ({ payload, people }) => {
  const event = read(commentEvent, payload)
  const { author, body, updateAuthor } = event.comment
  const { topic, title } = describeIssue(event)
  return postMessages({
    topic,
    content: withQuote(
      `${line(updateAuthor ?? author)} edited a comment on ${title}`,
      body && convertMarkup(body, (name) => people.get(name)),
    ),
  })
}

/** Jira does not send the user who deleted a comment. */
export const commentDeleted: Translator = ({ payload }) => {
  const event = read(commentEvent, payload)
  const { author, body } = event.comment
  const { topic, title } = describeIssue(event)
  return postMessages({
    topic,
    content: withQuote(`The comment of ${line(author)} on ${title} was deleted`, body && strike(body)),
  })
}

function describeIssue({ comment, issue }: CommentEvent): { topic: string; title: string } {
  if (issue) return { topic: issueTopic(issue), title: linkIssue(issue, true) }
  // The URL ends with …/issue/10024/comment/10117.
  const id = comment.self?.split('/').at(-3)
  if (!id) throw new MissingFieldError('issue')
  return { topic: `Issue ${id}`, title: `issue ${bold(id)}` }
}
