import { z } from 'zod'
import { branchRemovedMessage, forcePushMessage } from '../../git/branches.ts'
import { pushMessage } from '../../git/push.ts'
import { tagPushedMessage, tagRemovedMessage } from '../../git/tags.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { ignore, type OutgoingMessage, optional, postMessages, read, text } from '../../writing.ts'
import { account, page, repositoryFields, type Translator } from './delivery.ts'

const ref = z.object({
  name: text,
  type: text,
  target: optional(z.object({ hash: text })),
  links: optional(page),
})

const change = z
  .object({
    new: ref.nullish(),
    old: ref.nullish(),
    forced: optional(z.boolean()),
    truncated: optional(z.boolean()),
    links: optional(page),
    commits: optional(
      z.array(
        z.object({
          hash: text,
          message: optional(text),
          links: optional(page),
          author: optional(z.object({ user: optional(account), raw: optional(text) })),
        }),
      ),
    ),
  })
  .refine((change) => change.new ?? change.old, { path: ['new'] })
type Change = z.output<typeof change>

const pushEvent = z.object({ ...repositoryFields, push: z.object({ changes: z.array(change) }) })

export const push: Translator = ({ payload, options }) => {
  const { actor, push, repository } = read(pushEvent, payload)
  const headline = push.changes.flatMap((change) => {
    const ref = change.new ?? change.old
    if (ref === undefined || ref === null) return []
    const isTag = ref.type === 'tag'
    if (!isTag && !options.branches.has(ref.name)) return []
    return translateChange(repository.name, actor, change, ref.name, isTag)
  })
  return headline.length === 0 ? ignore() : postMessages(...headline)
}

function translateChange(
  repository: string,
  actor: string,
  change: Change,
  name: string,
  isTag: boolean,
): OutgoingMessage {
  if (isTag) {
    const content = change.new
      ? tagPushedMessage({ actor, tag: name, url: change.new.links })
      : tagRemovedMessage({ actor, tag: name })
    return { topic: repositoryTopic(repository), content }
  }
  return { topic: branchTopic(repository, name), content: describeBranchPush(actor, change, name) }
}

function describeBranchPush(actor: string, { commits = [], ...change }: Change, branch: string): string {
  if (!change.new) return branchRemovedMessage({ actor, branch })
  if (change.forced)
    return forcePushMessage({ actor, branch, url: change.links, head: change.new.target?.hash })
  return pushMessage({
    actor,
    branch,
    compareUrl: change.links,
    isTruncated: change.truncated,
    commits: commits.map(({ hash, message, links, author }) => ({
      hash,
      url: links,
      message,
      author: author?.user ?? withoutAddress(author?.raw),
    })),
  })
}

/** Returns `Iris Field` for `Iris Field <iris@example.com>`. */
function withoutAddress(author: string | undefined): string | undefined {
  if (author === undefined) return undefined
  return author.split('<', 1)[0]?.trim() || author
}
