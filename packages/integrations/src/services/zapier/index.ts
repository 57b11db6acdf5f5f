import { z } from 'zod'
import { integration, optional, postMessages, refuse, respondWith, text, verbatim } from '../../writing.ts'

export const service = integration({
  title: 'Zapier',
  client: 'Zapier',
  category: 'Automation',
  ignoresBadJson: true,
  payload: z.object({
    type: optional(z.string()),
    topic: optional(text),
    subject: optional(text),
    content: optional(text),
  }),
  translate({ payload: { type, topic, subject, content }, hasTopic, bot }) {
    // Zapier sends this once, when a user connects the account, and shows the returned names.
    if (type === 'auth') return respondWith({ ...bot })
    const title = topic ?? subject ?? (hasTopic ? '(no topic)' : undefined)
    if (title === undefined) return refuse("Topic can't be empty")
    if (content === undefined) return refuse("Content can't be empty")
    return postMessages({ topic: title, content: verbatim(content) })
  },
})
