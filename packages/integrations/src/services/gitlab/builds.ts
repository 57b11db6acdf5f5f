import { z } from 'zod'
import { choose } from '../../git/choose.ts'
import { shortRef } from '../../git/refs.ts'
import { branchTopic } from '../../git/topics.ts'
import {
  bullets,
  code,
  id,
  line,
  link,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
  url,
} from '../../writing.ts'
import { findProject, getProject, type Translator } from './delivery.ts'

const jobEvent = z.object({
  build_id: optional(id),
  build_name: text,
  build_stage: text,
  build_status: text,
  ref: text,
  repository: z.object({ name: text, homepage: optional(url) }),
})

export const jobChanged: Translator = ({ payload }) => {
  const { build_id, build_name, build_stage, build_status, ref, repository } = read(jobEvent, payload)
  const home = findProject(payload)?.home
  const job = link(build_name, build_id && home && `${home}/-/jobs/${build_id}`)
  return postMessages({
    topic: branchTopic(repository.name, shortRef(ref)),
    content: `Job ${job} of stage ${line(build_stage)} ${describeAction(build_status)}.`,
  })
}

const pipelineEvent = z.object({
  object_attributes: z.object({ id, status: text, ref: text }),
  builds: optional(
    z.array(
      z.object({
        id,
        name: text,
        status: text,
        artifacts_file: optional(z.object({ filename: text })),
      }),
    ),
  ),
})
type Build = NonNullable<z.output<typeof pipelineEvent>['builds']>[number]

export const pipelineChanged: Translator = ({ payload }) => {
  const { builds = [], object_attributes } = read(pipelineEvent, payload)
  const { id, status, ref } = object_attributes
  const { name, home } = getProject(payload)
  const headline = `${link(`Pipeline #${id}`, `${home}/pipelines/${id}`)} ${describeAction(status)}`
  const jobs = builds.map((build) => describeBuild(build, home))
  return postMessages({
    topic: branchTopic(name, shortRef(ref)),
    content: jobs.length === 0 ? `${headline}.` : `${headline}:\n\n${bullets(jobs)}`,
  })
}

function describeBuild({ id, name, status, artifacts_file }: Build, home: string): string {
  const job = `${home}/-/jobs/${id}`
  const headline = `${link(name, job)} ${describeAction(status)}`
  if (artifacts_file === undefined) return headline
  const artifactLinks = `${link('browse', `${job}/artifacts/browse`)}, ${link('download', `${job}/artifacts/download`)}`
  return `${headline}; artifact ${code(artifacts_file.filename)} (${artifactLinks})`
}

export function describeAction(status: string): string {
  const words = choose(status, {
    canceled: 'was canceled',
    created: 'was created',
    failed: 'failed',
    manual: 'waits to be started by hand',
    pending: 'is waiting',
    running: 'is running',
    skipped: 'was skipped',
    success: 'succeeded',
  })
  return words ?? `is now ${line(replaceUnderscores(status))}`
}
