import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FleetCheck, faults, startFleet } from '@oxbow/testkit'

// npm run chaos -- --minutes N   runs two nodes, 200 polling clients, constant changes and senders that retry until they
// are acknowledged, and injects random faults, sometimes two at once. After each fault it compares every client's ledger
// and all acknowledgements with the database.
//   --only NAME   injects only faults with this text in their name; can be given several times
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', multiple: true, default: [''] },
  },
})
const until = Date.now() + Number(values.minutes) * 60_000

type Group = 'nodes' | 'nats' | 'postgres' | 'clients' | 'machine'

interface Trial {
  name: string
  /**
   * Two faults of one group are never injected at once, because there are only two nodes, one NATS
   * and one standby.
   */
  group: Group
  fault: (typeof faults)['killNode']
}

const allTrials: Trial[] = [
  { name: 'kill -9 of a node', group: 'nodes', fault: faults.killNode },
  { name: "kill -9 of the sequencer's node", group: 'nodes', fault: faults.killSequencer },
  { name: 'SIGSTOP of the sequencer', group: 'nodes', fault: faults.suspendSequencer },
  { name: 'SIGSTOP of the other node', group: 'nodes', fault: faults.suspendNode },
  { name: 'half of all hints lost', group: 'nodes', fault: faults.dropHints },
  { name: 'NATS killed and restarted', group: 'nats', fault: faults.restartNats },
  { name: 'NATS cut off', group: 'nats', fault: faults.cutNats },
  { name: 'PostgreSQL restarted', group: 'postgres', fault: faults.restartPostgres },
  { name: 'failover that loses the newest commits', group: 'postgres', fault: faults.failOver },
  { name: 'failover that loses nothing', group: 'postgres', fault: faults.failOverWithoutLoss },
  { name: 'machine of the primary and the sequencer lost', group: 'machine', fault: faults.loseMachine },
  { name: 'clients paused', group: 'clients', fault: faults.pauseClients },
]
const trials = allTrials.filter(({ name }) => values.only.some((text) => name.includes(text)))
if (trials.length === 0) {
  const names = allTrials.map(({ name }) => `  ${name}\n`).join('')
  process.stderr.write(`No fault has ${values.only.join(' or ')} in its name. Faults:\n${names}`)
  process.exit(1)
}

type Line = Record<string, number>
const longestPauseColumn = 'longest pause, ms'
const flaws = ['missing', 'duplicate events', 'lost', 'stored twice', 'out of order', 'other flaws']
const lines = { events: new Map<string, Line>(), messages: new Map<string, Line>() }
const unexplainedErrors: string[] = []

function record(name: string, check: FleetCheck): void {
  const { disorder, unexpected, altered, deadWithoutReason } = check
  add(lines.events, name, {
    times: 1,
    ledgers: check.ledgers,
    events: check.events,
    missing: check.missing,
    'duplicate events': check.duplicateEvents,
    'other flaws': disorder + unexpected + altered + deadWithoutReason,
    'dead queues': check.dead,
    [longestPauseColumn]: check.longestPause,
  })
  const { sends, acknowledged, attempts, deliveries, lostInFailover, lost, storedTwice, ...more } =
    check.messages
  const { disorder: outOfOrder, ...otherFlaws } = more
  add(lines.messages, name, {
    sends,
    acknowledged,
    retries: attempts - sends,
    deliveries,
    'lost in a failover': lostInFailover,
    lost,
    'stored twice': storedTwice,
    'out of order': outOfOrder,
    'other flaws': Object.values(otherFlaws).reduce((sum, count) => sum + count, 0),
  })
}

function add(table: Map<string, Line>, name: string, more: Line): void {
  const line = table.get(name)
  const sum = (key: string, count: number) =>
    key === longestPauseColumn ? Math.max(count, line?.[key] ?? 0) : count + (line?.[key] ?? 0)
  table.set(name, Object.fromEntries(Object.entries(more).map(([key, count]) => [key, sum(key, count)])))
}

let bag: Trial[] = []
/** Draws a random allowed trial. A trial is drawn again only after all other allowed trials were drawn. */
function draw(allowed: (trial: Trial) => boolean = () => true): Trial {
  if (!bag.some(allowed)) bag = [...bag, ...trials.toSorted(() => Math.random() - 0.5)]
  const index = bag.findIndex(allowed)
  return bag.splice(index, 1)[0] as Trial
}

await using fleet = await startFleet({
  clients: 200,
  ownPostgres: true,
  nats: true,
  env: { OXBOW_RECENT_EVENTS_MB: '1' },
})
await fleet.waitForEvents()
while (Date.now() < until) {
  const first = draw()
  const canBeSecond = ({ group }: Trial) => group !== first.group && group !== 'machine'
  const isCombined = first.group !== 'machine' && Math.random() < 0.3 && trials.some(canBeSecond)
  const second = isCombined ? draw(canBeSecond) : undefined
  const name = second ? `${first.name}, and ${second.name}` : first.name
  try {
    await Promise.all([
      first.fault(fleet),
      second && setTimeout(Math.random() * 2000).then(() => second.fault(fleet)),
    ])
    await fleet.waitForEvents()
    const check = await fleet.check()
    record(second ? 'two at once' : first.name, check)
    unexplainedErrors.push(...check.unexplainedErrors)
    const { ledgers, events, missing, duplicateEvents, longestPause, messages } = check
    const { sends, acknowledged, attempts, lostInFailover, lost, storedTwice, disorder } = messages
    process.stdout.write(
      `${name}: ${ledgers} ledgers, ${events} events, ${missing} missing, ${duplicateEvents} delivered twice, pause ${longestPause} ms\n` +
        `  ${sends} sends, ${acknowledged} acknowledged, ${attempts - sends} retries, ${lost} lost (and ${lostInFailover} in a failover), ${storedTwice} stored twice, ${disorder} out of order\n`,
    )
  } catch (error) {
    unexplainedErrors.push(`${name}: ${(error as Error).message}`)
    break
  }
}

for (const table of Object.values(lines)) {
  const byName = [...table].sort()
  for (const [, line] of byName) add(table, 'all', line)
  // biome-ignore lint/suspicious/noConsole: prints a table for the operator
  console.table([...byName, ['all', table.get('all')] as const].map(([fault, line]) => ({ fault, ...line })))
}
for (const error of unexplainedErrors.slice(0, 20)) process.stdout.write(`${error}\n`)
const all = Object.values(lines).map((table) => table.get('all'))
const hasNoFlaws = all.every((line) => line && flaws.every((flaw) => !line[flaw]))
process.exitCode = hasNoFlaws && unexplainedErrors.length === 0 ? 0 : 1
