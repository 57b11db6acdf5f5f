import { z } from 'zod'
import { branchRemovedMessage } from '../../git/branches.ts'
import { pushMessage } from '../../git/push.ts'
import { isNullHash, shortRef } from '../../git/refs.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { ignore, optional, postMessages, read, text, url } from '../../writing.ts'
import { getProject, type Translator } from './delivery.ts'

const author = z.object({ name: text })

const pushEvent = z.object({
  user_name: text,
  ref: text,
  before: text,
  after: text,
  total_commits_count: optional(z.number().int()),
  commits: z.array(
    z.object({ id: text, url: optional(url), message: optional(text), author: optional(author) }),
  ),
})

export const push: Translator = ({ payload, options }) => {
  const event = read(pushEvent, payload)
  const { name, home } = getProject(payload)
  const actor = event.user_name
  const branch = shortRef(event.ref)
  if (!options.branches.has(branch)) return ignore()
  const isNew = isNullHash(event.before)
  const content = isNullHash(event.after)
    ? branchRemovedMessage({ actor, branch })
    : pushMessage({
        actor,
        branch,
        compareUrl: isNew ? undefined : `${home}/compare/${event.before}...${event.after}`,
        // For a new branch, the total would include commits of other branches.
        total: isNew ? undefined : event.total_commits_count,
        commits: event.commits.map(({ id, url, message, author }) => ({
          hash: id,
          url,
          message,
          author: author?.name,
        })),
      })
  return postMessages({ topic: branchTopic(name, branch), content })
}

const tagEvent = z.object({ user_name: text, ref: text, checkout_sha: optional(text) })

export const tagPush: Translator = ({ payload }) => {
  const { user_name: actor, ref, checkout_sha } = read(tagEvent, payload)
  const translateIssueEvent = checkout_sha === undefined ? tagRemovedMessage : tagPushedMessage
  return postMessages({
    topic: repositoryTopic(getProject(payload).name),
    content: translateIssueEvent({ actor, tag: shortRef(ref) }),
  })
}
