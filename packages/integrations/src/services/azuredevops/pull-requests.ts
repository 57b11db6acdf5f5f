import { z } from 'zod'
import { withQuote } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { shortRef } from '../../git/refs.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, ignore, optional, postMessages, read, text, url } from '../../writing.ts'
import type { Translator } from './delivery.ts'

const userSchema = z.object({ displayName: text })

const pullRequestEvent = z.object({
  detailedMessage: optional(z.object({ markdown: text })),
  resource: z.object({
    pullRequestId: id,
    title: text,
    description: optional(text),
    status: optional(text),
    mergeStatus: optional(text),
    createdBy: userSchema,
    closedBy: optional(userSchema),
    sourceRefName: optional(text),
    targetRefName: optional(text),
    repository: z.object({ name: text }),
    _links: z.object({ web: z.object({ href: url }) }),
  }),
})
type PullRequest = z.output<typeof pullRequestEvent>['resource']

const toNumberedItem = ({ pullRequestId, title, _links }: PullRequest): NumberedItem => ({
  type: 'PR',
  number: pullRequestId,
  title,
  url: _links.web.href,
})

const chooseTopic = (pullRequest: PullRequest): string =>
  numberedTopic(pullRequest.repository.name, toNumberedItem(pullRequest))

export const pullRequestCreated: Translator = ({ payload, hasTopic }) => {
  const { resource } = read(pullRequestEvent, payload)
  const { createdBy, description, sourceRefName: head, targetRefName: base } = resource
  return postMessages({
    topic: chooseTopic(resource),
    content: changeMessage({
      actor: createdBy.displayName,
      action: 'created',
      item: toNumberedItem(resource),
      showsTitle: hasTopic,
      branches: head && base ? { head: shortRef(head), base: shortRef(base) } : undefined,
      description,
    }),
  })
}

/** The actor and the action are only in the detailed message. */
export const pullRequestUpdated: Translator = ({ payload, hasTopic }) => {
  const { detailedMessage, resource } = read(pullRequestEvent, payload)
  const headline = `${linkNumbered(toNumberedItem(resource), hasTopic)} was updated`
  return postMessages({
    topic: chooseTopic(resource),
    content: withQuote(headline, detailedMessage?.markdown),
  })
}

/** Attempts to merge send this event too, and are ignored. */
export const pullRequestMerged: Translator = ({ payload, hasTopic }) => {
  const { resource } = read(pullRequestEvent, payload)
  if (resource.status !== 'completed' || resource.mergeStatus !== 'succeeded') return ignore()
  return postMessages({
    topic: chooseTopic(resource),
    content: changeMessage({
      actor: (resource.closedBy ?? resource.createdBy).displayName,
      action: 'merged',
      item: toNumberedItem(resource),
      showsTitle: hasTopic,
    }),
  })
}
