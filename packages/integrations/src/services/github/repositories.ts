import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { releaseMessage } from '../../git/releases.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import {
  bullets,
  code,
  line,
  link,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { account, linkedRepositoryFields, repositoryFields, type Translator } from './delivery.ts'

const refEvent = z.object({ ...repositoryFields, ref_type: text, ref: text })

const translateRefChange =
  (verb: string): Translator =>
  ({ payload }) => {
    const { ref, ref_type, repository, sender } = read(refEvent, payload)
    return postMessages({
      topic: repositoryTopic(repository.name),
      content: `${line(sender.login)} ${verb} ${line(ref_type)} ${code(ref)}.`,
    })
  }

export const refCreated = translateRefChange('created')
export const refDeleted = translateRefChange('deleted')

const forkEvent = z.object({
  ...repositoryFields,
  forkee: z.object({ name: text, full_name: optional(text), html_url: url }),
})

export const repositoryForked: Translator = ({ payload }) => {
  const { forkee, repository, sender } = read(forkEvent, payload)
  const fork = link(forkee.full_name ?? forkee.name, forkee.html_url)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(sender.login)} forked the repository to ${fork}.`,
  })
}

const actionEvent = z.object({ ...linkedRepositoryFields, action: text })

/**
 * Stars send `star` events with `created` or `deleted`, and also `watch`, GitHub's older event for
 * a star.
 */
export const repositoryStarred: Translator = ({ payload }) => {
  const { action, repository, sender } = read(actionEvent, payload)
  const verb = action === 'deleted' ? 'unstarred' : 'starred'
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(sender.login)} ${verb} the repository ${linkRepository(repository)}.`,
  })
}

const publicEvent = z.object(linkedRepositoryFields)

export const repositoryMadePublic: Translator = ({ payload }) => {
  const { repository, sender } = read(publicEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(sender.login)} made the repository ${linkRepository(repository)} public.`,
  })
}

export const repositoryChanged: Translator = ({ payload }) => {
  const { action, repository, sender } = read(actionEvent, payload)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${line(sender.login)} ${line(replaceUnderscores(action))} the repository ${linkRepository(repository)}.`,
  })
}

const releaseEvent = z.object({
  ...repositoryFields,
  action: text,
  release: z.object({ name: optional(text), tag_name: text, html_url: url }),
})

export const releaseChanged: Translator = ({ payload }) => {
  const { action, release, repository, sender } = read(releaseEvent, payload)
  const { name, tag_name: tag, html_url } = release
  const content = releaseMessage({
    actor: sender.login,
    action: replaceUnderscores(action),
    tag,
    name,
    url: html_url,
  })
  return postMessages({ topic: repositoryTopic(repository.name), content })
}

const wikiEvent = z.object({
  ...repositoryFields,
  pages: z.array(z.object({ action: text, title: text, html_url: url })).min(1),
})

export const wikiChanged: Translator = ({ payload }) => {
  const { pages, repository, sender } = read(wikiEvent, payload)
  const changes = pages.map(({ action, title, html_url }) => `${line(action)} ${link(title, html_url)}`)
  return postMessages({
    topic: branchTopic(repository.name, 'Wiki Pages'),
    content: `${line(sender.login)} changed the wiki:\n\n${bullets(changes)}`,
  })
}

const memberEvent = z.object({ ...linkedRepositoryFields, action: text, member: account })

export const collaboratorChanged: Translator = ({ payload }) => {
  const { action, member, repository, sender } = read(memberEvent, payload)
  const actor = line(sender.login)
  const memberLink = link(member.login, member.html_url)
  const headline = choose(action, {
    added: `${actor} added ${memberLink} to`,
    removed: `${actor} removed ${memberLink} from`,
    edited: `${actor} changed the permissions of ${memberLink} in`,
  })
  if (headline === undefined) return unsupported(`member:${action}`)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `${headline} ${linkRepository(repository)}.`,
  })
}

const linkRepository = ({ full_name, html_url }: { full_name: string; html_url: string }): string =>
  link(full_name, html_url)
