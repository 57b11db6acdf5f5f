import { z } from 'zod'
import { withQuote } from '../../git/comments.ts'
import { strike } from '../../markdown/strike.ts'
import { bold, bullets, line, optional, postMessages, read, text } from '../../writing.ts'
import { changelog, describeChange, listChanges, transition } from './changes.ts'
import type { Translator } from './delivery.ts'
import { author, comment, findAssigneeName, issue, issueTopic, linkIssue } from './issue.ts'
import { convertMarkup } from './markup.ts'

const issueEvent = z.object({ user: author, issue })

export const issueCreated: Translator = ({ payload, people }) => {
  const { user, issue } = read(issueEvent, payload)
  const { priority } = issue.fields
  const facts = [
    ...(priority ? [`**Priority**: ${line(priority.name)}`] : []),
    `**Assignee**: ${line(findAssigneeName(issue, people) ?? 'no one')}`,
  ]
  return postMessages({
    topic: issueTopic(issue),
    content: `${line(user)} created ${linkIssue(issue, true)}:\n\n${bullets(facts)}`,
  })
}

/** A deleted issue has no page, so it is not linked. */
export const issueDeleted: Translator = ({ payload }) => {
  const { user, issue } = read(issueEvent, payload)
  return postMessages({
    topic: issueTopic(issue),
    content: `${line(user)} deleted ${bold(`${issue.key}: ${issue.fields.summary}`)}.`,
  })
}

const updateEvent = z.object({
  user: author,
  issue,
  issue_event_type_name: optional(text),
  comment: optional(comment),
  changelog: optional(changelog),
  transition: optional(transition),
})
type Update = z.output<typeof updateEvent>

export const issueUpdated: Translator = ({ payload, hasTopic, people }) => {
  const event = read(updateEvent, payload)
  const { changelog, issue, transition, user } = event
  const topic = issueTopic(issue)
  const assignee = findAssigneeName(issue, people)
  const about = `${linkIssue(issue, hasTopic)}${assignee === undefined ? '' : ` (assigned to ${bold(assignee)})`}`
  const comment = readCommentChange(event)
  if (comment) {
    const { body } = event.comment ?? {}
    const words = body && (comment.isDeleted ? strike(body) : convertMarkup(body, (name) => people.get(name)))
    return postMessages({ topic, content: withQuote(`${line(user)} ${comment.did} ${about}`, words) })
  }
  const changes = listChanges(changelog, transition).map(describeChange)
  const headline = `${line(user)} updated ${about}`
  return postMessages({
    topic,
    content: changes.length === 0 ? `${headline}.` : `${headline}:\n\n${bullets(changes)}`,
  })
}

function readCommentChange({ issue_event_type_name, comment }: Update) {
  switch (issue_event_type_name ?? (comment ? 'issue_commented' : '')) {
    case 'issue_commented':
      return { did: 'commented on', isDeleted: false }
    case 'issue_comment_edited':
      return { did: 'edited a comment on', isDeleted: false }
    case 'issue_comment_deleted':
      return { did: 'deleted a comment on', isDeleted: true }
  }
}
