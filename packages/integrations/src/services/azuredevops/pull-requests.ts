import { z } from 'zod'
import { quoting } from '../../git/comments.ts'
import { changeMessage, linkNumbered, type Numbered } from '../../git/numbered.ts'
import { shortRef } from '../../git/refs.ts'
import { numberedTopic } from '../../git/topics.ts'
import { id, ignore, optional, read, say, text, url } from '../../writing.ts'
import type { Translate } from './delivery.ts'

const someone = z.object({ displayName: text })

const pullRequestEvent = z.object({
  detailedMessage: optional(z.object({ markdown: text })),
  resource: z.object({
    pullRequestId: id,
    title: text,
    description: optional(text),
    status: optional(text),
    mergeStatus: optional(text),
    createdBy: someone,
    closedBy: optional(someone),
    sourceRefName: optional(text),
    targetRefName: optional(text),
    repository: z.object({ name: text }),
    _links: z.object({ web: z.object({ href: url }) }),
  }),
})
type PullRequest = z.output<typeof pullRequestEvent>['resource']

const numbered = ({ pullRequestId, title, _links }: PullRequest): Numbered => ({
  type: 'PR',
  number: pullRequestId,
  title,
  url: _links.web.href,
})

const topicOf = (pullRequest: PullRequest): string =>
  numberedTopic(pullRequest.repository.name, numbered(pullRequest))

export const pullRequestCreated: Translate = ({ payload, hasTopic }) => {
  const { resource } = read(pullRequestEvent, payload)
  const { createdBy, description, sourceRefName: head, targetRefName: base } = resource
  return say({
    topic: topicOf(resource),
    content: changeMessage({
      actor: createdBy.displayName,
      action: 'created',
      thing: numbered(resource),
      showsTitle: hasTopic,
      branches: head && base ? { head: shortRef(head), base: shortRef(base) } : undefined,
      description,
    }),
  })
}

/** Only the detailed message contains the actor and the action. */
export const pullRequestUpdated: Translate = ({ payload, hasTopic }) => {
  const { detailedMessage, resource } = read(pullRequestEvent, payload)
  const told = `${linkNumbered(numbered(resource), hasTopic)} was updated`
  return say({ topic: topicOf(resource), content: quoting(told, detailedMessage?.markdown) })
}

/** Attempts to merge send this event too. They are ignored. */
export const pullRequestMerged: Translate = ({ payload, hasTopic }) => {
  const { resource } = read(pullRequestEvent, payload)
  if (resource.status !== 'completed' || resource.mergeStatus !== 'succeeded') return ignore()
  return say({
    topic: topicOf(resource),
    content: changeMessage({
      actor: (resource.closedBy ?? resource.createdBy).displayName,
      action: 'merged',
      thing: numbered(resource),
      showsTitle: hasTopic,
    }),
  })
}
