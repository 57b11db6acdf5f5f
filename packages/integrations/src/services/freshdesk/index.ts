import { z } from 'zod'
import {
  bold,
  bullets,
  id,
  ignore,
  integration,
  line,
  link,
  type Outcome,
  optional,
  postMessages,
  quote,
  text,
  url,
} from '../../writing.ts'
import { htmlToText } from './html.ts'
import { type Change, readTriggered, type Triggered } from './triggered.ts'

const ticket = z.object({
  triggered_event: text,
  ticket_id: id,
  ticket_url: url,
  ticket_subject: text,
  ticket_description: optional(z.string()),
  ticket_type: optional(text),
  ticket_status: optional(text),
  ticket_priority: optional(text),
  requester_name: text,
  requester_email: optional(text),
})
type Ticket = z.output<typeof ticket>

export const service = integration({
  title: 'Freshdesk',
  client: 'Freshdesk',
  category: 'Customer support',
  authentication: 'basic',
  events: ['note_added', 'ticket_changed', 'ticket_created'],
  payload: z.object({ freshdesk_webhook: ticket }),
  translate({ payload: { freshdesk_webhook: ticketFields } }): Outcome {
    const triggered = readTriggered(ticketFields.triggered_event)
    // Rules may also send events that need no message.
    if (!triggered) return ignore()
    const topic = `#${line(ticketFields.ticket_id)}: ${line(ticketFields.ticket_subject)}`
    return postMessages({ event: triggered.event, topic, content: describeTrigger(triggered, ticketFields) })
  },
})

function describeTrigger(triggered: Triggered, ticketFields: Ticket): string {
  const requester =
    line(ticketFields.requester_name) +
    (ticketFields.requester_email ? ` (${line(ticketFields.requester_email)})` : '')
  const ticket = link(`ticket #${ticketFields.ticket_id}`, ticketFields.ticket_url)
  switch (triggered.event) {
    case 'ticket_created':
      return describe(`${requester} created ${ticket}`, ticketFields)
    case 'note_added':
      return `${requester} added a ${triggered.kind} note to ${ticket}.`
    case 'ticket_changed':
      return `${requester} updated ${ticket}:\n${bullets(triggered.changes.map(showChange))}`
  }
}

function describe(
  text: string,
  { ticket_description, ticket_type, ticket_priority, ticket_status }: Ticket,
): string {
  const words = htmlToText(ticket_description ?? '')
  const details = Object.entries({ Type: ticket_type, Priority: ticket_priority, Status: ticket_status })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${bold(name)}: ${line(value)}`)
  return [words === '' ? `${text}.` : `${text}:\n${quote(words)}`, bullets(details)]
    .filter(Boolean)
    .join('\n')
}

const showChange = ({ field: what, from, to }: Change): string => `${bold(what)}: ${from} → ${to}`
