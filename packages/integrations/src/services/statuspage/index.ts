import { z } from 'zod'
import {
  anything,
  bold,
  details,
  integration,
  line,
  lines,
  link,
  optional,
  read,
  say,
  text,
  unscored,
  unsupported,
  url,
} from '../../writing.ts'

const page = optional(z.object({ status_description: text }))

const ofIncident = z.object({
  page,
  incident: z.object({
    name: text,
    status: text,
    shortlink: optional(url),
    incident_updates: optional(z.array(z.object({ body: optional(text) }))),
  }),
})

const ofComponent = z.object({
  page,
  component: z.object({ name: text }),
  component_update: z.object({ old_status: text, new_status: text }),
})

export const service = integration({
  title: 'Statuspage',
  client: 'Statuspage',
  category: 'Monitoring',
  events: ['incident', 'component'],
  payload: anything,
  translate({ payload }) {
    if ('incident' in payload) return tellIncident(read(ofIncident, payload))
    if ('component' in payload) return tellComponent(read(ofComponent, payload))
    return unsupported('page')
  },
})

function tellIncident({ page, incident }: z.output<typeof ofIncident>) {
  const update = incident.incident_updates?.[0]?.body
  return say({
    event: 'incident',
    topic: topicOf(incident.name, page),
    content: lines(
      bold(link(incident.name, incident.shortlink)),
      details({ State: line(unscored(incident.status)), Update: update && line(update) }),
    ),
  })
}

function tellComponent({ page, component, component_update }: z.output<typeof ofComponent>) {
  const { old_status, new_status } = component_update
  return say({
    event: 'component',
    topic: topicOf(component.name, page),
    content: `${line(component.name)} went from ${bold(unscored(old_status))} to ${bold(unscored(new_status))}.`,
  })
}

const topicOf = (name: string, page: { status_description: string } | undefined): string =>
  page ? `${name}: ${page.status_description}` : name
