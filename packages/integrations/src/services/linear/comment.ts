import { z } from 'zod'
import {
  bold,
  ignore,
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
import type { Action } from './issue.ts'

const schema = z.object({
  url: optional(url),
  data: z.object({
    body: text,
    user: optional(z.object({ name: text })),
    issue: optional(z.object({ title: text })),
  }),
})

export function translateComment(payload: unknown, action: Action): Outcome {
  const {
    url,
    data: { body, user, issue },
  } = read(schema, payload)
  // Comments on documents and project updates have no issue.
  if (!issue) return ignore()
  const author = line(user?.name ?? 'Someone')
  return postMessages({
    event: `comment_${action}`,
    topic: `Issue: ${issue.title}`,
    content: paragraphs(`${author} ${verb(action, url)} ${bold(issue.title)}:`, quote(body)),
  })
}

function verb(action: Action, url: string | undefined): string {
  switch (action) {
    case 'create':
      return `${link('commented', url)} on`
    case 'update':
      return `${link('updated', url)} a comment on`
    case 'remove':
      return 'deleted a comment on'
  }
}
