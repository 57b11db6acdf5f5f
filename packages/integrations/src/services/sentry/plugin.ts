import { z } from 'zod'
import {
  bold,
  line,
  link,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  quote,
  read,
  text,
  url,
} from '../../writing.ts'

const schema = z.object({ project_name: text, level: optional(text), url, message: optional(text) })

/** Translates a delivery of a project's older WebHooks plugin. */
export function translatePlugin(payload: unknown): Outcome {
  const { project_name, level, url, message } = read(schema, payload)
  const severity = level ? ` ${bold(line(level).toUpperCase())}` : ''
  return postMessages({
    event: 'plugin',
    topic: project_name,
    content: paragraphs(
      `New${severity} ${link('issue', url)}${message ? ':' : '.'}`,
      message && quote(message),
    ),
  })
}
