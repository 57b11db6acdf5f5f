import { z } from 'zod'
import { commentMessage } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, line, optional, postMessages, read, text } from '../../writing.ts'
import { account, comment, page, repositoryFields, type Translator } from './delivery.ts'

const branchEnd = z.object({ branch: z.object({ name: text }) })

const pullRequestEvent = z.object({
  ...repositoryFields,
  pullrequest: z.object({
    id,
    title: text,
    links: page,
    description: optional(text),
    source: optional(branchEnd),
    destination: optional(branchEnd),
    reviewers: optional(z.array(account)),
  }),
})
type PullRequest = z.output<typeof pullRequestEvent>['pullrequest']

const toNumberedItem = ({ id, title, links }: PullRequest): NumberedItem => ({
  type: 'PR',
  number: id,
  title,
  url: links,
})

/** Translates a created or updated pull request, with its branches, reviewers and description. */
export const pullRequestWritten =
  (action: string): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, pullrequest, repository } = read(pullRequestEvent, payload)
    const { source, destination, reviewers, description } = pullrequest
    const item = toNumberedItem(pullrequest)
    return postMessages({
      topic: numberedTopic(repository.name, item),
      content: changeMessage({
        actor,
        action,
        item,
        showsTitle: hasTopic,
        reviewers: reviewers?.map(line),
        branches: source && destination && { head: source.branch.name, base: destination.branch.name },
        description,
      }),
    })
  }

export const pullRequestChanged =
  (action: string): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, pullrequest, repository } = read(pullRequestEvent, payload)
    const item = toNumberedItem(pullrequest)
    return postMessages({
      topic: numberedTopic(repository.name, item),
      content: changeMessage({ actor, action, item, showsTitle: hasTopic }),
    })
  }

const commentEvent = pullRequestEvent.extend({ comment })

export const pullRequestCommented =
  (action: string): Translator =>
  ({ payload, hasTopic }) => {
    const { actor, comment, pullrequest, repository } = read(commentEvent, payload)
    const item = toNumberedItem(pullrequest)
    return postMessages({
      topic: numberedTopic(repository.name, item),
      content: commentMessage({
        actor,
        action,
        url: comment.links,
        target: linkNumbered(item, hasTopic),
        body: comment.content.raw,
      }),
    })
  }
