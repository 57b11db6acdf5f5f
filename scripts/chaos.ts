import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FleetCheck, faults, startFleet } from '@oxbow/testkit'

// npm run chaos -- --minutes N   two nodes, 200 polling clients, constant change, and everything that can go wrong, at
// random and sometimes two things at once. After each, every client's ledger is held against the database.
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const until = Date.now() + Number(values.minutes) * 60_000

type Group = 'nodes' | 'nats' | 'postgres' | 'clients' | 'machine'

interface Trial {
  name: string
  /** Two of one group do not happen at once: there are two nodes, one NATS and one standby. */
  group: Group
  fault: (typeof faults)['killNode']
}

const trials: Trial[] = [
  { name: 'kill -9 of a node', group: 'nodes', fault: faults.killNode },
  { name: "kill -9 of the sequencer's node", group: 'nodes', fault: faults.killSequencer },
  { name: 'SIGSTOP of the sequencer for 5 s', group: 'nodes', fault: faults.stopSequencer },
  { name: 'SIGSTOP of the other node for 5 s', group: 'nodes', fault: faults.stopNode },
  { name: 'half of all hints lost', group: 'nodes', fault: faults.dropHints },
  { name: 'NATS killed and restarted', group: 'nats', fault: faults.restartNats },
  { name: 'NATS cut off for 10 s', group: 'nats', fault: faults.cutNatsFor(10_000) },
  { name: 'PostgreSQL restarted', group: 'postgres', fault: faults.restartPostgres },
  { name: 'failover without the tail', group: 'postgres', fault: faults.failOver },
  { name: "the primary's and the sequencer's machine lost", group: 'machine', fault: faults.loseMachine },
  { name: 'clients standing still', group: 'clients', fault: faults.standStill },
]

const sums = ['times', 'ledgers', 'events', 'missing', 'duplicates', 'other flaws', 'dead queues'] as const
type Line = Record<(typeof sums)[number] | 'longest pause, ms', number>
const lines = new Map<string, Line>()
const surprises: string[] = []

function note(name: string, check: FleetCheck): void {
  const { disorder, uncalledFor, altered, deadWithoutReason } = check
  const line = lines.get(name)
  const add: Line = {
    times: 1,
    ledgers: check.ledgers,
    events: check.events,
    missing: check.missing,
    duplicates: check.duplicates,
    'other flaws': disorder + uncalledFor + altered + deadWithoutReason,
    'dead queues': check.dead,
    'longest pause, ms': Math.max(check.longestPause, line?.['longest pause, ms'] ?? 0),
  }
  if (line) for (const key of sums) add[key] += line[key]
  lines.set(name, add)
}

let bag: Trial[] = []
/** Each comes as often as any other. */
function draw(allowed: (trial: Trial) => boolean = () => true): Trial {
  if (!bag.some(allowed)) bag = [...bag, ...trials.toSorted(() => Math.random() - 0.5)]
  const place = bag.findIndex(allowed)
  return bag.splice(place, 1)[0] as Trial
}

await using fleet = await startFleet({ ownPostgres: true, nats: true, env: { OXBOW_EVENTS_WINDOW_MB: '1' } })
await fleet.flow()
while (Date.now() < until) {
  const first = draw()
  const second =
    first.group !== 'machine' && Math.random() < 0.3
      ? draw(({ group }) => group !== first.group && group !== 'machine')
      : undefined
  const name = second ? `${first.name}, and ${second.name}` : first.name
  try {
    await Promise.all([
      first.fault(fleet),
      second && setTimeout(Math.random() * 2000).then(() => second.fault(fleet)),
    ])
    await fleet.flow()
    const check = await fleet.check()
    note(second ? 'two at once' : first.name, check)
    surprises.push(...check.surprises)
    const { ledgers, events, missing, duplicates, longestPause } = check
    process.stdout.write(
      `${name}: ${ledgers} ledgers, ${events} events, ${missing} missing, ${duplicates} twice, pause ${longestPause} ms\n`,
    )
  } catch (error) {
    surprises.push(`${name}: ${(error as Error).message}`)
    break
  }
}

const table = [...lines].sort().map(([fault, line]) => ({ fault, ...line }))
// biome-ignore lint/suspicious/noConsole: a table for people
console.table(table)
for (const surprise of surprises.slice(0, 20)) process.stdout.write(`${surprise}\n`)
const isWhole = table.every((line) => line.missing + line.duplicates + line['other flaws'] === 0)
process.exitCode = isWhole && surprises.length === 0 ? 0 : 1
