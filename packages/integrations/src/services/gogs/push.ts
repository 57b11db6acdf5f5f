import { z } from 'zod'
import { branchCreatedMessage, branchRemovedMessage } from '../../git/branches.ts'
import { pushMessage } from '../../git/push.ts'
import { getTag, isNullHash, shortRef } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { ignore, optional, postMessages, read, text, url } from '../../writing.ts'
import { repositoryFields, type Translator } from './delivery.ts'

const author = z.object({ username: optional(text), name: optional(text) })

const pushEvent = z.object({
  ...repositoryFields,
  ref: text,
  after: optional(text),
  compare_url: optional(url),
  total_commits: optional(z.number().int()),
  commits: z.array(
    z.object({ id: text, url: optional(url), message: optional(text), author: optional(author) }),
  ),
})

export const push: Translator = ({ payload, options }) => {
  const event = read(pushEvent, payload)
  const { ref, after = '', repository, sender: actor } = event
  const isRemoved = isNullHash(after)
  const tag = getTag(ref)
  if (tag !== undefined) {
    const content = (isRemoved ? tagRemovedMessage : tagPushedMessage)({ actor, tag })
    return postMessages({ topic: repositoryTopic(repository.name), content })
  }
  const branch = shortRef(ref)
  if (!options.branches.has(branch)) return ignore()
  const content = isRemoved
    ? branchRemovedMessage({ actor, branch })
    : pushMessage({
        actor,
        branch,
        compareUrl: event.compare_url,
        total: event.total_commits,
        commits: event.commits.map(({ id, url, message, author }) => ({
          hash: id,
          url,
          message,
          author: author?.username ?? author?.name,
        })),
      })
  return postMessages({ topic: branchTopic(repository.name, branch), content })
}

const refEvent = z.object({ ...repositoryFields, ref: text, ref_type: optional(text) })

export const refCreated: Translator = ({ payload }) => {
  const { ref, ref_type, repository, sender: actor } = read(refEvent, payload)
  const name = shortRef(ref)
  const url = `${repository.html_url}/src/${name}`
  return ref_type === 'tag'
    ? postMessages({
        topic: repositoryTopic(repository.name),
        content: tagPushedMessage({ actor, tag: name, url }),
      })
    : postMessages({
        topic: branchTopic(repository.name, name),
        content: branchCreatedMessage({ actor, branch: name, url }),
      })
}

export const refDeleted: Translator = ({ payload }) => {
  const { ref, ref_type, repository, sender: actor } = read(refEvent, payload)
  const name = shortRef(ref)
  return ref_type === 'tag'
    ? postMessages({
        topic: repositoryTopic(repository.name),
        content: tagRemovedMessage({ actor, tag: name }),
      })
    : postMessages({
        topic: branchTopic(repository.name, name),
        content: branchRemovedMessage({ actor, branch: name }),
      })
}
