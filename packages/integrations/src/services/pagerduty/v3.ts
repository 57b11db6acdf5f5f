import { z } from 'zod'
import { id, optional, text, url } from '../../writing.ts'
import type { Event, Incident } from './incident.ts'
import { party } from './party.ts'

export const v3Event = z.object({
  event: z.object({
    agent: optional(party),
    data: z.object({
      number: id,
      title: text,
      html_url: optional(url),
      service: optional(party),
      assignees: optional(z.array(party)),
    }),
  }),
})

export function readV3Incident({ event: { agent, data } }: z.output<typeof v3Event>, event: Event): Incident {
  return {
    event,
    topic: `Incident ${data.title} (#${data.number})`,
    number: data.number,
    url: data.html_url,
    service: data.service,
    assignees: data.assignees ?? [],
    agent,
    titleAndDescription: [data.title],
  }
}
