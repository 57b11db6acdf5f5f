import { z } from 'zod'
import { releaseMessage } from '../../git/releases.ts'
import { releaseTopic, repositoryTopic } from '../../git/topics.ts'
import { line, link, optional, postMessages, read, replaceUnderscores, text, url } from '../../writing.ts'
import { account, repositoryFields, type Translator } from './delivery.ts'

const releaseEvent = z.object({
  repository: repositoryFields.repository,
  action: text,
  release: z.object({ author: account, tag_name: text, name: optional(text), html_url: optional(url) }),
})

export const releaseChanged: Translator = ({ payload }) => {
  const { action, release, repository } = read(releaseEvent, payload)
  const { author, tag_name: tag, name, html_url } = release
  return postMessages({
    topic: releaseTopic(repository.name, tag, name ?? ''),
    content: releaseMessage({ actor: author, action: replaceUnderscores(action), tag, name, url: html_url }),
  })
}

const forkEvent = z.object({
  sender: account,
  forkee: z.object({ name: text }),
  repository: z.object({ full_name: text, html_url: url }),
})

/** Translates a fork. `forkee` is the repository that was forked, and `repository` is the fork. */
export const repositoryForked: Translator = ({ payload }) => {
  const { forkee, repository, sender } = read(forkEvent, payload)
  return postMessages({
    topic: repositoryTopic(forkee.name),
    content: `${line(sender)} forked the repository to ${link(repository.full_name, repository.html_url)}.`,
  })
}
