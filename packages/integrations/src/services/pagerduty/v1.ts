import { z } from 'zod'
import { id, optional, text, url } from '../../writing.ts'
import type { Event, Incident } from './incident.ts'

export const v1Events: ReadonlyMap<string, Event> = new Map([
  ['incident.trigger', 'incident.triggered'],
  ['incident.acknowledge', 'incident.acknowledged'],
  ['incident.unacknowledge', 'incident.unacknowledged'],
  ['incident.resolve', 'incident.resolved'],
  ['incident.assign', 'incident.reassigned'],
  ['incident.escalate', 'incident.escalated'],
  ['incident.delegate', 'incident.delegated'],
])

/** A user, shown by the part of the e-mail address before the `@`. */
const person = optional(
  z
    .object({ email: text, html_url: optional(url) })
    .transform(({ email, html_url }) => ({ name: email.split('@')[0] || email, url: html_url })),
)

export const v1Message = z.object({
  data: z.object({
    incident: z.object({
      incident_number: id,
      html_url: optional(url),
      service: optional(z.object({ name: text, html_url: optional(url) })),
      assigned_to_user: person,
      resolved_by_user: person,
      trigger_summary_data: optional(z.object({ subject: optional(text), description: optional(text) })),
    }),
  }),
})

export function readV1Incident({ data: { incident } }: z.output<typeof v1Message>, event: Event): Incident {
  const { service, assigned_to_user, resolved_by_user, trigger_summary_data } = incident
  return {
    event,
    topic: `Incident ${incident.incident_number}`,
    number: incident.incident_number,
    url: incident.html_url,
    service: service && { name: service.name, url: service.html_url },
    assignees: assigned_to_user ? [assigned_to_user] : [],
    agent: event === 'incident.resolved' ? resolved_by_user : undefined,
    titleAndDescription: [trigger_summary_data?.subject, trigger_summary_data?.description],
  }
}
