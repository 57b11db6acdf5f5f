import { line, lines, link, list, paragraphs, quote, type Said } from '../../writing.ts'

/** The fields that the three versions of PagerDuty's webhooks share. */
export interface Incident {
  event: Event
  topic: string
  number: string
  url: string | undefined
  service?: Party | undefined
  assignees: readonly Party[]
  /** The actor, if the payload contains it. */
  agent?: Party | undefined
  words: readonly (string | undefined)[]
}

export interface Party {
  name: string
  url?: string | undefined
}

export const events = [
  'incident.triggered',
  'incident.acknowledged',
  'incident.unacknowledged',
  'incident.resolved',
  'incident.reassigned',
  'incident.escalated',
  'incident.delegated',
] as const
export type Event = (typeof events)[number]

export function messageOf(incident: Incident): Said {
  const words = lines(...incident.words)
  const told = `Incident ${link(`#${incident.number}`, incident.url)} was ${happened(incident)}`
  return {
    event: incident.event,
    topic: incident.topic,
    content: words === '' ? `${told}.` : paragraphs(`${told}:`, quote(words)),
  }
}

function happened({ event, service, assignees, agent }: Incident): string {
  const to = assignees.length === 0 ? '' : ` to ${listOf(assignees)}`
  const by = agent ? ` by ${show(agent)}` : ''
  switch (event) {
    case 'incident.triggered':
    case 'incident.unacknowledged': {
      const verb = event === 'incident.triggered' ? 'triggered' : 'unacknowledged'
      return `${verb}${service ? ` by ${show(service)}` : by}${to && ` and assigned${to}`}`
    }
    case 'incident.acknowledged':
      return `acknowledged${by || (assignees.length === 0 ? '' : ` by ${listOf(assignees)}`)}`
    case 'incident.resolved':
      return `resolved${by}`
    case 'incident.reassigned':
      return `assigned${to}${by}`
    case 'incident.escalated':
      return `escalated${to}${by}`
    case 'incident.delegated':
      return `delegated${to}${by}`
  }
}

const listOf = (parties: readonly Party[]): string => list(parties.map(show))
const show = ({ name, url }: Party): string => (url ? link(name, url) : line(name))
