import { z } from 'zod'
import {
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
import { readField } from './field.ts'

const schema = z.object({ message: text, long_description: optional(text), alert_url: url })

export function translateAlert(json: string): Outcome {
  const field = readField('alert', json)
  if ('refused' in field) return field.refused
  const { message, long_description, alert_url } = read(schema, field.value)
  return postMessages({
    event: 'alert',
    topic: message,
    content: paragraphs(`${link('New alert', alert_url)}:`, quote(long_description ?? message)),
  })
}
