import { z } from 'zod'
import { commitCommentMessage } from '../../git/comments.ts'
import { repositoryTopic } from '../../git/topics.ts'
import { strike } from '../../markdown/strike.ts'
import { bold, line, link, postMessages, read, text } from '../../writing.ts'
import { account, comment, repository, repositoryFields, type Translator } from './delivery.ts'

const commentEvent = z.object({ ...repositoryFields, commit: text, comment })

export const commitCommented =
  (action: 'commented' | 'edited' | 'deleted'): Translator =>
  ({ payload }) => {
    const { actor, comment, commit, repository } = read(commentEvent, payload)
    return postMessages({
      topic: repositoryTopic(repository.name),
      content: commitCommentMessage({
        actor,
        action,
        commit: { hash: commit, url: repository.links && `${repository.links}/commits/${commit}` },
        body: action === 'deleted' && comment.text ? strike(comment.text) : comment.text,
      }),
    })
  }

const forkEvent = z.object({
  actor: account,
  repository: repository.extend({ origin: z.object({ name: text }) }),
})

export const repositoryForked: Translator = ({ payload }) => {
  const { actor, repository } = read(forkEvent, payload)
  const { origin, name, links } = repository
  return postMessages({
    topic: repositoryTopic(origin.name),
    content: `${line(actor)} forked the repository to ${link(name, links)}.`,
  })
}

const modifyEvent = z.object({
  actor: account,
  old: z.object({ name: text }),
  new: z.object({ name: text }),
})

export const repositoryModified: Translator = ({ payload }) => {
  const event = read(modifyEvent, payload)
  const actor = line(event.actor)
  return postMessages({
    topic: repositoryTopic(event.new.name),
    content:
      event.old.name === event.new.name
        ? `${actor} changed the repository ${bold(event.new.name)}.`
        : `${actor} renamed the repository from ${bold(event.old.name)} to ${bold(event.new.name)}.`,
  })
}
