import { z } from 'zod'
import { commentMessage } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { strike } from '../../markdown/strike.ts'
import { id, line, list, optional, postMessages, read, text } from '../../writing.ts'
import { account, comment, page, type Translator } from './delivery.ts'

const reviewers = z
  .array(z.object({ user: account }))
  .transform((participants) => participants.map(({ user }) => user))

const pullRequestEvent = z.object({
  actor: account,
  pullRequest: z.object({
    id,
    title: text,
    description: optional(text),
    links: optional(page),
    fromRef: optional(z.object({ displayId: text })),
    toRef: z.object({ displayId: text, repository: z.object({ name: text }) }),
    reviewers: optional(reviewers),
  }),
})
type PullRequest = z.output<typeof pullRequestEvent>['pullRequest']

const toNumberedItem = ({ id, title, links }: PullRequest): NumberedItem => ({
  type: 'PR',
  number: id,
  title,
  url: links,
})

const chooseTopic = (pullRequest: PullRequest): string =>
  numberedTopic(pullRequest.toRef.repository.name, toNumberedItem(pullRequest))

/** Translates an opened or modified pull request, with all details. */
export const pullRequestWritten =
  (action: string): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, pullRequest } = read(pullRequestEvent, payload)
    const { description, fromRef, reviewers, toRef } = pullRequest
    return postMessages({
      topic: chooseTopic(pullRequest),
      content: changeMessage({
        actor,
        action,
        item: toNumberedItem(pullRequest),
        showsTitle: hasTopic,
        reviewers,
        branches: fromRef && { head: fromRef.displayId, base: toRef.displayId },
        description,
      }),
    })
  }

export const pullRequestChanged =
  (action: string): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, pullRequest } = read(pullRequestEvent, payload)
    const item = toNumberedItem(pullRequest)
    return postMessages({
      topic: chooseTopic(pullRequest),
      content: changeMessage({ actor, action, item, showsTitle: hasTopic }),
    })
  }

export const needsWork: Translator = ({ payload, hasTopic }) => {
  const { actor, pullRequest } = read(pullRequestEvent, payload)
  return postMessages({
    topic: chooseTopic(pullRequest),
    content: `${line(actor)} marked ${linkNumbered(toNumberedItem(pullRequest), hasTopic)} as needing work.`,
  })
}

const accounts = optional(z.array(account))

const reviewersEvent = pullRequestEvent.extend({ addedReviewers: accounts, removedReviewers: accounts })

export const reviewersChanged: Translator = ({ payload, hasTopic }) => {
  const { actor, pullRequest, addedReviewers, removedReviewers } = read(reviewersEvent, payload)
  const { reviewers = [] } = pullRequest
  const linked = linkNumbered(toNumberedItem(pullRequest), hasTopic)
  const changes = [
    addedReviewers?.length && `added ${list(addedReviewers)}`,
    removedReviewers?.length && `removed ${list(removedReviewers)}`,
  ].filter(Boolean)
  if (changes.length === 0 && reviewers.length > 0) changes.push(`now ${list(reviewers)}`)
  const headline = `${line(actor)} changed the reviewers of ${linked}`
  return postMessages({
    topic: chooseTopic(pullRequest),
    content: changes.length === 0 ? `${headline}.` : `${headline}: ${changes.join('; ')}.`,
  })
}

const commentEvent = pullRequestEvent.extend({ comment })

export const pullRequestCommented =
  (action: 'commented' | 'edited' | 'deleted'): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, comment, pullRequest } = read(commentEvent, payload)
    const { links } = pullRequest
    const isThere = action !== 'deleted' && links !== undefined && comment.id !== undefined
    return postMessages({
      topic: chooseTopic(pullRequest),
      content: commentMessage({
        actor,
        action,
        url: isThere ? `${links}/overview?commentId=${comment.id}` : undefined,
        target: linkNumbered(toNumberedItem(pullRequest), hasTopic),
        body: action === 'deleted' && comment.text ? strike(comment.text) : comment.text,
      }),
    })
  }
