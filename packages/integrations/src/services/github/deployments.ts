import { z } from 'zod'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import {
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
import { repositoryFields, type Translator } from './delivery.ts'

const deploymentEvent = z.object({
  ...repositoryFields,
  deployment: z.object({ environment: text, ref: optional(text) }),
})

export const deploymentCreated: Translator = ({ payload }) => {
  const { deployment, repository, sender } = read(deploymentEvent, payload)
  const refPhrase = deployment.ref === undefined ? '' : ` of ${code(deployment.ref)}`
  return postMessages({
    topic: deploymentTopic(repository.name, deployment.environment),
    content: `${line(sender.login)} created a new deployment${refPhrase}.`,
  })
}

const deploymentStatusEvent = z.object({
  repository: repositoryFields.repository,
  deployment: z.object({ environment: text }),
  deployment_status: z.object({ state: text, target_url: optional(url), description: optional(text) }),
})

export const deploymentStatus: Translator = ({ payload }) => {
  const { deployment, deployment_status, repository } = read(deploymentStatusEvent, payload)
  const { state, target_url } = deployment_status
  return postMessages({
    topic: deploymentTopic(repository.name, deployment.environment),
    content: `The state of the deployment is now ${link(replaceUnderscores(state), target_url)}.`,
  })
}

const deploymentTopic = (repository: string, environment: string): string =>
  branchTopic(repository, `Deployment on ${environment}`)

const pageBuildEvent = z.object({
  repository: repositoryFields.repository,
  build: z.object({
    status: text.nullable(),
    pusher: z.object({ login: text }),
    error: optional(z.object({ message: text })),
  }),
})

export const pagesBuilt: Translator = ({ payload }) => {
  const { build, repository } = read(pageBuildEvent, payload)
  const state = pageState(build.status, build.error?.message)
  if (state === undefined) return unsupported(`page_build:${build.status}`)
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `The Pages build that ${line(build.pusher.login)} triggered ${state}.`,
  })
}

function pageState(status: string | null, error: string | undefined): string | undefined {
  switch (status) {
    case null:
      return 'is waiting'
    case 'building':
      return 'is under way'
    case 'built':
      return 'is done'
    case 'errored':
      return error === undefined ? 'failed' : `failed: ${line(error).replace(/\.$/, '')}`
  }
}
