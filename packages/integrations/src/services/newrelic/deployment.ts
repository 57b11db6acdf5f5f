import { z } from 'zod'
import {
  bold,
  code,
  id,
  line,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  quote,
  read,
  text,
} from '../../writing.ts'
import { readField } from './field.ts'

const schema = z.object({
  application_name: text,
  revision: optional(id),
  deployed_by: optional(text),
  description: optional(text),
  changelog: optional(text),
})

export function translateDeployment(json: string): Outcome {
  const field = readField('deployment', json)
  if ('refused' in field) return field.refused
  const { application_name, revision, deployed_by, description, changelog } = read(schema, field.value)
  const subject = revision
    ? `Revision ${code(revision)} of ${line(application_name)}`
    : line(application_name)
  return postMessages({
    event: 'deployment',
    topic: `${application_name} deploy`,
    content: paragraphs(
      `${subject} was deployed${deployed_by ? ` by ${bold(deployed_by)}` : ''}.`,
      description && quote(description),
      changelog && paragraphs('Changes:', quote(changelog)),
    ),
  })
}
