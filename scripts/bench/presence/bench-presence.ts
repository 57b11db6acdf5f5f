import { registerQueues, startProbedNode, waitForPolls } from '../events/bench-organization.ts'
import { PollingClients } from '../events/polling-clients.ts'
import { type Figure, print, printTable } from '../figures.ts'
import { measure } from './measure.ts'
import { createPresenceOrganization } from './presence-organization.ts'
import { reportNaively, reportOverHttp } from './reporting.ts'

export interface PresenceOptions {
  /** Number of people who are online and report to this node. */
  people?: number
  /** Duration of each variant in seconds. */
  seconds?: number
  /** Letters of the variants to measure: a is ours, b the naive one; both by default. */
  parts?: string
}

/**
 * Maximum number of polls. A process can open only a limited number of connections; the remaining
 * users are assumed to poll other nodes.
 */
const maxPolls = 10_000

/**
 * Measures presence: everyone online reports once a minute, and a few of them have just come back online.
 * Compares our implementation with a naive one, which runs a transaction and emits an event to
 * everyone for each report.
 */
export async function benchPresence({
  people = 20_000,
  seconds = 60,
  parts = 'ab',
}: PresenceOptions): Promise<void> {
  await using organization = await createPresenceOrganization(people)
  await using node = await startProbedNode(organization)
  const polls = Math.min(people, maxPolls)
  print(`presence: ${people} people online, one report a minute each, ${polls} polls`)
  const queues = await registerQueues(node.url, { accounts: organization.people }, polls, [
    'presence',
    'naive',
  ])
  using clients = new PollingClients(node.port)
  await clients.open(queues)
  await waitForPolls(node, polls)
  const pace = { perSecond: people / 60, seconds }
  const variants = [
    { letter: 'a', name: 'ours', report: () => reportOverHttp(organization, node, pace) },
    {
      letter: 'b',
      name: 'one transaction and one event each',
      report: () => reportNaively(organization, pace),
    },
  ]
  const figures: Figure[] = []
  for (const { letter, name, report } of variants) {
    if (!parts.includes(letter)) continue
    for (const { label, measured } of await measure(organization, node, seconds, report)) {
      figures.push({ label: `${name}: ${label}`, measured })
    }
  }
  print('')
  printTable(figures)
}
