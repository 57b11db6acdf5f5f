import { z } from 'zod'
import {
  bold,
  code,
  id,
  line,
  link,
  type Outcome,
  optional,
  postMessages,
  read,
  text,
  url,
} from '../../writing.ts'
import { readCommit } from './commit.ts'
import { describeStatus } from './outcome.ts'

const pipeline = z.object({
  number: id,
  vcs: z.unknown().optional(),
  trigger_parameters: z.unknown().optional(),
})
const commonFields = { project: z.object({ name: text }), pipeline }

const workflowCompleted = z.object({
  ...commonFields,
  workflow: z.object({ name: text, url: optional(url), status: text }),
})
const jobCompleted = z.object({
  ...commonFields,
  job: z.object({ name: text, status: text }),
  workflow: optional(z.object({ name: text, url: optional(url) })),
})

export function translateWorkflow(payload: unknown): Outcome {
  const { project, pipeline, workflow } = read(workflowCompleted, payload)
  const subject = `Workflow ${bold(link(workflow.name, workflow.url))} of pipeline ${line(pipeline.number)}`
  return postMessages({
    event: 'workflow-completed',
    topic: project.name,
    content: withCommit(`${subject} ${describeStatus(workflow.status)}`, pipeline),
  })
}

export function translateJob(payload: unknown): Outcome {
  const { project, pipeline, job, workflow } = read(jobCompleted, payload)
  const workflowText = workflow ? ` (workflow ${link(workflow.name, workflow.url)})` : ''
  const subject = `Job ${bold(job.name)} of pipeline ${line(pipeline.number)}${workflowText}`
  return postMessages({
    event: 'job-completed',
    topic: project.name,
    content: withCommit(`${subject} ${describeStatus(job.status)}`, pipeline),
  })
}

function withCommit(text: string, pipeline: z.output<typeof workflowCompleted>['pipeline']): string {
  const { revision, url, subject, branch, author } = readCommit(pipeline)
  if (revision === undefined) return text
  const label = [revision.slice(0, 7), subject].filter(Boolean).join(': ')
  const commit = `Commit ${link(label, url)}`
  return `${text}\n${commit}${branch ? ` on branch ${code(branch)}` : ''}${author ? ` by ${line(author)}` : ''}.`
}
