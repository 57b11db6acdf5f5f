import { z } from 'zod'
import { integration, optional, postMessages, refuse, text, verbatim } from '../../writing.ts'

export const service = integration({
  title: 'IFTTT',
  client: 'IFTTT',
  category: 'Automation',
  payload: z.object({ topic: optional(text), content: optional(text) }),
  translate({ payload: { topic, content }, hasTopic }) {
    const title = topic ?? (hasTopic ? '(no topic)' : undefined)
    if (title === undefined) return refuse("Topic can't be empty")
    if (content === undefined) return refuse("Content can't be empty")
    return postMessages({ topic: title, content: verbatim(content) })
  },
})
