import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { setUpMessage } from '../../git/set-up.ts'
import { branchTopic, releaseTopic, repositoryTopic } from '../../git/topics.ts'
import { code, line, link, optional, postMessages, read, text, unsupported, url } from '../../writing.ts'
import { describeAction } from './builds.ts'
import { byUser, findProject, getProject, type Translator } from './delivery.ts'

const wikiEvent = z.object({ ...byUser, object_attributes: z.object({ title: text, url: optional(url) }) })

export const wikiChanged =
  (verb: string): Translator =>
  ({ payload }) => {
    const { user, object_attributes } = read(wikiEvent, payload)
    const page = link(object_attributes.title, object_attributes.url)
    return postMessages({
      topic: repositoryTopic(getProject(payload).name),
      content: `${line(user.name)} ${verb} wiki page ${page}.`,
    })
  }

const releaseEvent = z.object({ action: text, name: optional(text), tag: text, url: optional(url) })

/** GitLab does not send the author of a release. */
export const releaseChanged: Translator = ({ payload }) => {
  const { action, name: title, tag, url } = read(releaseEvent, payload)
  const verb = choose(action, { create: 'created', update: 'updated', delete: 'deleted' })
  if (verb === undefined) return unsupported(`Release Hook ${action}`)
  return postMessages({
    topic: releaseTopic(getProject(payload).name, tag, title ?? ''),
    content: `Release ${link(title ?? tag, url)} for tag ${code(tag)} was ${verb}.`,
  })
}

const featureFlagEvent = z.object({
  ...byUser,
  object_attributes: z.object({ name: text, active: z.boolean() }),
})

export const featureFlagChanged: Translator = ({ payload }) => {
  const { user, object_attributes } = read(featureFlagEvent, payload)
  const turned = object_attributes.active ? 'on' : 'off'
  return postMessages({
    topic: repositoryTopic(getProject(payload).name),
    content: `${line(user.name)} turned feature flag ${code(object_attributes.name)} ${turned}.`,
  })
}

const deploymentEvent = z.object({
  status: text,
  environment: text,
  deployable_url: optional(url),
  user: optional(z.object({ name: text })),
})

export const deploymentChanged: Translator = ({ payload }) => {
  const { deployable_url, environment, status, user } = read(deploymentEvent, payload)
  const by = user === undefined ? '' : ` by ${line(user.name)}`
  return postMessages({
    topic: branchTopic(getProject(payload).name, `Deployment on ${environment}`),
    content: `The ${link('deployment', deployable_url)}${by} ${describeAction(status)}.`,
  })
}

const accessTokenEvent = z.object({
  object_attributes: z.object({ name: text, expires_at: text }),
  group: optional(z.object({ group_name: text })),
})

export const accessTokenExpires: Translator = ({ payload }) => {
  const { group, object_attributes } = read(accessTokenEvent, payload)
  const { name, expires_at } = object_attributes
  return postMessages({
    topic: repositoryTopic(findProject(payload)?.name ?? group?.group_name ?? getProject(payload).name),
    content: `Access token ${code(name)} expires on ${line(expires_at)}.`,
  })
}

export const hookTested: Translator = ({ payload }) =>
  postMessages({ topic: repositoryTopic(getProject(payload).name), content: setUpMessage('GitLab') })
