import { z } from 'zod'
import { id, optional, text, url } from '../../writing.ts'
import type { Event, Incident } from './incident.ts'
import { party } from './party.ts'

export const v2Events: ReadonlyMap<string, Event> = new Map([
  ['incident.trigger', 'incident.triggered'],
  ['incident.acknowledge', 'incident.acknowledged'],
  ['incident.resolve', 'incident.resolved'],
  ['incident.assign', 'incident.reassigned'],
])

export const v2Message = z.object({
  incident: z.object({
    incident_number: id,
    title: text,
    description: optional(text),
    html_url: optional(url),
    service: optional(z.object({ name: text, html_url: optional(url) })),
    assignments: optional(z.array(z.object({ assignee: party }))),
    last_status_change_by: optional(party),
  }),
})

export function readV2Incident({ incident }: z.output<typeof v2Message>, event: Event): Incident {
  const { title, description, service, assignments = [], last_status_change_by } = incident
  return {
    event,
    topic: `Incident ${incident.incident_number}`,
    number: incident.incident_number,
    url: incident.html_url,
    service: service && { name: service.name, url: service.html_url },
    assignees: assignments.slice(0, 1).map(({ assignee }) => assignee),
    agent: event === 'incident.resolved' ? last_status_change_by : undefined,
    // If nobody wrote a description, it repeats the title.
    titleAndDescription: [title, description === title ? undefined : description],
  }
}
