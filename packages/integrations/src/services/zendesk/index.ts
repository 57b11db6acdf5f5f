import { z } from 'zod'
import { id, integration, line, postMessages, text, verbatim } from '../../writing.ts'

export const service = integration({
  title: 'Zendesk',
  client: 'Zendesk',
  category: 'Customer support',
  authentication: 'basic',
  body: { kind: 'form' },
  payload: z.object({ ticket_title: text, ticket_id: id, message: text }),
  translate: ({ payload: { ticket_title, ticket_id, message } }) =>
    postMessages({ topic: `#${line(ticket_id)}: ${line(ticket_title)}`, content: verbatim(message) }),
})
