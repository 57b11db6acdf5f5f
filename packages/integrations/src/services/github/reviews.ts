import { z } from 'zod'
import { commentMessage, withQuote } from '../../git/comments.ts'
import { linkNumbered } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { line, link, optional, postMessages, read, text, unsupported, url } from '../../writing.ts'
import { repositoryFields, type Translator } from './delivery.ts'
import { pullRequest, toNumberedItem } from './pull-requests.ts'

const reviewEvent = z.object({
  ...repositoryFields,
  action: text,
  pull_request: pullRequest,
  review: z.object({ html_url: url, state: optional(text), body: optional(text) }),
})
type ReviewEvent = z.output<typeof reviewEvent>

export const pullRequestReview: Translator = ({ payload, hasTopic }) => {
  const event = read(reviewEvent, payload)
  const item = toNumberedItem(event.pull_request)
  const headline = describeReview(event, linkNumbered(item, hasTopic))
  if (headline === undefined) return unsupported(`pull_request_review:${event.action}`)
  return postMessages({ topic: numberedTopic(event.repository.name, item), content: headline })
}

function describeReview({ action, sender, review }: ReviewEvent, linked: string): string | undefined {
  const actor = line(sender.login)
  switch (action) {
    case 'submitted':
      return withQuote(`${actor} ${describeVerdict(review)} ${linked}`, review.body)
    case 'edited':
    case 'dismissed':
      return `${actor} ${action} a ${link('review', review.html_url)} of ${linked}.`
  }
}

function describeVerdict({ state, html_url }: ReviewEvent['review']): string {
  switch (state) {
    case 'approved':
      return link('approved', html_url)
    case 'changes_requested':
      return `${link('requested changes', html_url)} to`
    default:
      return `submitted a ${link('review', html_url)} of`
  }
}

const reviewCommentEvent = z.object({
  ...repositoryFields,
  action: text,
  pull_request: pullRequest,
  comment: z.object({ html_url: url, body: optional(text) }),
})

export const pullRequestReviewComment: Translator = ({ payload, hasTopic }) => {
  const { action, comment, pull_request, repository, sender } = read(reviewCommentEvent, payload)
  const item = toNumberedItem(pull_request)
  const isNew = action === 'created'
  const content = commentMessage({
    actor: sender.login,
    action: isNew ? 'commented' : action,
    url: comment.html_url,
    target: linkNumbered(item, hasTopic),
    body: isNew ? comment.body : undefined,
  })
  return postMessages({ topic: numberedTopic(repository.name, item), content })
}
