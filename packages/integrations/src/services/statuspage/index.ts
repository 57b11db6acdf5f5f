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
  postMessages,
  read,
  replaceUnderscores,
  text,
  unsupported,
  url,
} from '../../writing.ts'

const page = optional(z.object({ status_description: text }))

const incidentPayload = z.object({
  page,
  incident: z.object({
    name: text,
    status: text,
    shortlink: optional(url),
    incident_updates: optional(z.array(z.object({ body: optional(text) }))),
  }),
})

const componentPayload = z.object({
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
    if ('incident' in payload) return translateIncident(read(incidentPayload, payload))
    if ('component' in payload) return translateComponent(read(componentPayload, payload))
    return unsupported('page')
  },
})

function translateIncident({ page, incident }: z.output<typeof incidentPayload>) {
  const update = incident.incident_updates?.[0]?.body
  return postMessages({
    event: 'incident',
    topic: chooseTopic(incident.name, page),
    content: lines(
      bold(link(incident.name, incident.shortlink)),
      details({ State: line(replaceUnderscores(incident.status)), Update: update && line(update) }),
    ),
  })
}

function translateComponent({ page, component, component_update }: z.output<typeof componentPayload>) {
  const { old_status, new_status } = component_update
  return postMessages({
    event: 'component',
    topic: chooseTopic(component.name, page),
    content: `${line(component.name)} went from ${bold(replaceUnderscores(old_status))} to ${bold(replaceUnderscores(new_status))}.`,
  })
}

const chooseTopic = (name: string, page: { status_description: string } | undefined): string =>
  page ? `${name}: ${page.status_description}` : name
