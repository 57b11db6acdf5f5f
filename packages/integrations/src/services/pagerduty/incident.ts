import { line, lines, link, list, type OutgoingMessage, paragraphs, quote } from '../../writing.ts'

/** The fields that the three versions of PagerDuty's webhooks share. */
export interface Incident {
  event: Event
  topic: string
  number: string
  url: string | undefined
  service?: Party | undefined
  assignees: readonly Party[]
  /** The user or integration that acted, if the payload contains it. */
  agent?: Party | undefined
  /** The title and the description. Undefined ones are left out. */
  titleAndDescription: readonly (string | undefined)[]
}

interface Party {
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

export function formatIncident(incident: Incident): OutgoingMessage {
  const details = lines(...incident.titleAndDescription)
  const headline = `Incident ${link(`#${incident.number}`, incident.url)} was ${describeEvent(incident)}`
  return {
    event: incident.event,
    topic: incident.topic,
    content: details === '' ? `${headline}.` : paragraphs(`${headline}:`, quote(details)),
  }
}

function describeEvent({ event, service, assignees, agent }: Incident): string {
  const to = assignees.length === 0 ? '' : ` to ${listParties(assignees)}`
  const by = agent ? ` by ${formatParty(agent)}` : ''
  switch (event) {
    case 'incident.triggered':
    case 'incident.unacknowledged': {
      const verb = event === 'incident.triggered' ? 'triggered' : 'unacknowledged'
      return `${verb}${service ? ` by ${formatParty(service)}` : by}${to && ` and assigned${to}`}`
    }
    case 'incident.acknowledged':
      return `acknowledged${by || (assignees.length === 0 ? '' : ` by ${listParties(assignees)}`)}`
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

const listParties = (parties: readonly Party[]): string => list(parties.map(formatParty))
const formatParty = ({ name, url }: Party): string => (url ? link(name, url) : line(name))
