import { Crowd } from '../events/crowd.ts'
import { registerQueues, startProbedNode, waitForPolls } from '../events/garden.ts'
import { type Figure, say, sayTable } from '../figures.ts'
import { measure } from './measure.ts'
import { openOffice } from './office.ts'
import { reportNaively, reportOverHttp } from './reporting.ts'

export interface PresenceOptions {
  /** How many are online and report to this node. */
  people?: number
  /** How long each way goes on. */
  seconds?: number
  /** Letters: a is our way, b the other; both without it. */
  parts?: string
}

/** Those of the others are at other nodes; and a process may not have as many connections as one likes. */
const mostPolls = 10_000

/**
 * Everyone who is online says so once a minute, and a few of them were away before. Beside what the server does: a
 * transaction and an event to everyone for each report, which is made here and delivered by the same node.
 */
export async function benchPresence({
  people = 20_000,
  seconds = 60,
  parts = 'ab',
}: PresenceOptions): Promise<void> {
  await using office = await openOffice(people)
  await using node = await startProbedNode(office)
  const polls = Math.min(people, mostPolls)
  say(`presence: ${people} people online, one report a minute each, ${polls} polls`)
  const queues = await registerQueues(node.url, { accounts: office.people }, polls, ['presence', 'naive'])
  using crowd = new Crowd(node.port)
  await crowd.open(queues)
  await waitForPolls(node, polls)
  const pace = { perSecond: people / 60, seconds }
  const ways = [
    { letter: 'a', name: 'ours', report: () => reportOverHttp(office, node, pace) },
    { letter: 'b', name: 'one transaction and one event each', report: () => reportNaively(office, pace) },
  ]
  const figures: Figure[] = []
  for (const { letter, name, report } of ways) {
    if (!parts.includes(letter)) continue
    for (const { what, measured } of await measure(office, node, seconds, report)) {
      figures.push({ what: `${name}: ${what}`, measured })
    }
  }
  say('')
  sayTable(figures)
}
