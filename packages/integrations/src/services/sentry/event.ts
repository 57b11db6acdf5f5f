import { z } from 'zod'
import {
  bold,
  code,
  details,
  line,
  link,
  moment,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  quote,
  read,
  text,
  url,
  when,
} from '../../writing.ts'
import { failingFrame, frame, showFrame } from './frame.ts'

const occurrence = z.object({
  title: text,
  web_url: optional(url),
  level: optional(text),
  datetime: optional(moment),
  platform: optional(text),
  metadata: optional(z.object({ filename: optional(text) })),
  exception: optional(
    z.object({
      values: z.array(optional(z.object({ stacktrace: optional(z.object({ frames: z.array(frame) })) }))),
    }),
  ),
})

const schemas = {
  event: z.object({ data: z.object({ event: occurrence }) }),
  error: z.object({ data: z.object({ error: occurrence }) }),
}

/** Translates an exception, or a message that a program logged. */
export function translateEvent(payload: unknown, kind: 'event' | 'error'): Outcome {
  const event =
    kind === 'event' ? read(schemas.event, payload).data.event : read(schemas.error, payload).data.error
  const { title, web_url, level, datetime, metadata, exception, platform } = event
  const frames = exception?.values.flatMap((value) => value?.stacktrace?.frames ?? []) ?? []
  const failing = failingFrame(frames, metadata?.filename)
  const filename = metadata?.filename ?? failing?.filename
  const facts = details({
    Level: level && line(level),
    Time: datetime && when(datetime),
    File: exception && filename && code(filename),
  })
  return postMessages({
    event: kind,
    topic: title,
    content: paragraphs(
      `${bold(exception ? 'New exception' : 'New message')}: ${link(title, web_url)}`,
      facts && quote(facts),
      failing && showFrame(failing, platform),
    ),
  })
}
