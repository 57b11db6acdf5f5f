import { z } from 'zod'
import { branchRemovedMessage } from '../../git/branches.ts'
import { pushMessage } from '../../git/push.ts'
import { getBranch, shortRef } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { ignore, optional, postMessages, read, text, url } from '../../writing.ts'
import { repositoryFields, type Translator } from './delivery.ts'

const author = z.object({ username: optional(text), name: optional(text) })

const pushEvent = z.object({
  ...repositoryFields,
  ref: text,
  compare: optional(url),
  created: z.boolean(),
  deleted: z.boolean(),
  commits: z.array(z.object({ id: text, url, message: optional(text), author: optional(author) })),
})

export const push: Translator = ({ payload, options }) => {
  const { ref, compare, created, deleted, commits, repository, sender } = read(pushEvent, payload)
  const actor = sender.login
  const branch = getBranch(ref)
  if (branch === undefined) {
    const content = (created ? tagPushedMessage : tagRemovedMessage)({ actor, tag: shortRef(ref) })
    return postMessages({ event: 'push_tags', topic: repositoryTopic(repository.name), content })
  }
  if (!options.branches.has(branch)) return ignore()
  const content =
    deleted && commits.length === 0
      ? branchRemovedMessage({ actor, branch, url: compare })
      : pushMessage({
          actor,
          branch,
          compareUrl: compare,
          commits: commits.map(({ id, url, message, author }) => ({
            hash: id,
            url,
            message,
            author: author?.username ?? author?.name,
          })),
        })
  return postMessages({ event: 'push_commits', topic: branchTopic(repository.name, branch), content })
}
