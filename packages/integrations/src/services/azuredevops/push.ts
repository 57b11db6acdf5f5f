import { z } from 'zod'
import { branchRemovedMessage } from '../../git/branches.ts'
import { pushMessage } from '../../git/push.ts'
import { getTag, isNullHash, shortRef } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { ignore, optional, postMessages, read, text, url } from '../../writing.ts'
import type { Translator } from './delivery.ts'

const author = z.object({ name: text })

const pushEvent = z.object({
  resource: z.object({
    pushedBy: z.object({ displayName: text }),
    repository: z.object({ name: text, remoteUrl: url }),
    refUpdates: z.tuple([z.object({ name: text, oldObjectId: text, newObjectId: text })], z.unknown()),
    /** Absent if the push only created or deleted a branch. */
    commits: z
      .array(z.object({ commitId: text, comment: optional(text), author: optional(author) }))
      .nullish(),
  }),
})
type Push = z.output<typeof pushEvent>['resource']

export const push: Translator = ({ payload, options }) => {
  const { resource } = read(pushEvent, payload)
  const { pushedBy, refUpdates, repository } = resource
  const [{ name: ref, newObjectId }] = refUpdates
  const actor = pushedBy.displayName
  const isRemoved = isNullHash(newObjectId)
  const tag = getTag(ref)
  if (tag !== undefined)
    return postMessages({
      topic: repositoryTopic(repository.name),
      content: (isRemoved ? tagRemovedMessage : tagPushedMessage)({ actor, tag }),
    })
  const branch = shortRef(ref)
  if (!options.branches.has(branch)) return ignore()
  return postMessages({
    topic: branchTopic(repository.name, branch),
    content: isRemoved ? branchRemovedMessage({ actor, branch }) : describeCommits(resource, branch),
  })
}

function describeCommits({ commits, pushedBy, refUpdates, repository }: Push, branch: string): string {
  const [{ oldObjectId, newObjectId }] = refUpdates
  const compare = `branchCompare?baseVersion=GC${oldObjectId}&targetVersion=GC${newObjectId}&_a=files`
  return pushMessage({
    actor: pushedBy.displayName,
    branch,
    compareUrl: isNullHash(oldObjectId) ? undefined : `${repository.remoteUrl}/${compare}`,
    commits: (commits ?? []).map(({ commitId, comment, author }) => ({
      hash: commitId,
      url: `${repository.remoteUrl}/commit/${commitId}`,
      message: comment,
      author: author?.name,
    })),
  })
}
