import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { commitCommentMessage } from '../../git/comments.ts'
import { shortHash } from '../../git/refs.ts'
import { repositoryTopic } from '../../git/topics.ts'
import { bold, bullets, ignore, line, link, optional, postMessages, read, text, url } from '../../writing.ts'
import { comment, page, repositoryFields, type Translator } from './delivery.ts'

const forkEvent = z.object({
  ...repositoryFields,
  fork: z.object({ name: optional(text), full_name: text, links: page }),
})

export const repositoryForked: Translator = ({ payload }) => {
  const { actor, fork, repository } = read(forkEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(actor)} forked the repository to ${link(fork.full_name, fork.links)}.`,
  })
}

const commitCommentEvent = z.object({
  ...repositoryFields,
  comment,
  commit: z.object({ hash: text, links: optional(page) }),
})

export const commitCommented: Translator = ({ payload }) => {
  const { actor, comment, commit, repository } = read(commitCommentEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: commitCommentMessage({
      actor,
      url: comment.links,
      commit: { hash: commit.hash, url: commit.links },
      body: comment.content.raw,
    }),
  })
}

const commitStatusEvent = z.object({
  repository: repositoryFields.repository,
  commit_status: z.object({
    key: text,
    name: optional(text),
    url: optional(url),
    state: text,
    links: z.object({ commit: z.object({ href: url }) }),
  }),
})

export const commitStatus: Translator = ({ payload }) => {
  const { commit_status, repository } = read(commitStatusEvent, payload)
  const { key, name, state, url, links } = commit_status
  const hash = links.commit.href.replace(/(?<![/?#])[/?#]+$/, '').replace(/^.*\//, '')
  const commit = link(shortHash(hash), `${repository.links}/commits/${hash}`)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `The status of commit ${commit} is now ${describeAction(state)} (${link(name ?? key, url)}).`,
  })
}

function describeAction(state: string): string {
  const words = choose(state, {
    FAILED: 'failed',
    INPROGRESS: 'in progress',
    STOPPED: 'stopped',
    SUCCESSFUL: 'successful',
  })
  return words ?? line(state)
}

const field = optional(z.object({ old: optional(text), new: optional(text) }))

const titles = {
  name: 'Name',
  full_name: 'Full name',
  website: 'Website',
  language: 'Language',
  description: 'Description',
}

const updateEvent = z.object({
  ...repositoryFields,
  changes: z.object({
    name: field,
    full_name: field,
    website: field,
    language: field,
    description: field,
  }),
})

export const repositoryUpdated: Translator = ({ payload }) => {
  const { actor, changes, repository } = read(updateEvent, payload)
  const headline = Object.entries(changes).flatMap(([name, change]) =>
    change === undefined || change.old === change.new
      ? []
      : [describeFieldChange(titles[name as keyof typeof titles], change)],
  )
  if (headline.length === 0) return ignore()
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(actor)} updated the repository ${link(repository.full_name ?? repository.name, repository.links)}:\n\n${bullets(headline)}`,
  })
}

function describeFieldChange(name: string, change: NonNullable<z.output<typeof field>>): string {
  const { old } = change
  if (change.new === undefined) return `${bold(name)}: removed`
  const before = old === undefined ? '' : ` (it was ${line(old)})`
  return `${bold(name)}: ${line(change.new)}${before}`
}
