import { parseArgs } from 'node:util'
import { type FleetCheck, startFleet } from '@oxbow/testkit'
import { startCluster } from './ha/cluster.ts'
import { trials } from './ha/trials.ts'

// npm run ha   starts PostgreSQL under Patroni with synchronous replication, etcd, HAProxy and two nodes. While 200
// clients poll, and senders retry until they are acknowledged, the leader is switched, killed, frozen and cut off. After
// each fault every client's ledger and all acknowledgements are compared with the database: no event or message may be
// lost or repeated, and no id used twice. Prints the longest time that a client got no events.
//   --only NAME    only faults with this text in their name; can be given several times
//   --clients N    number of clients, 200 by default
//   --members N    number of PostgreSQL servers, 3 by default
//   --ttl SECONDS  Patroni's ttl, 20 by default
// Needs the Debian packages postgresql, patroni, python3-etcd, etcd-server and haproxy. docs/operating/high-availability.md
// explains the settings.
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    clients: { type: 'string', default: '200' },
    members: { type: 'string', default: '3' },
    ttl: { type: 'string', default: '20' },
  },
})
const chosen = trials.filter(({ name }) => values.only.some((text) => name.includes(text)))
if (chosen.length === 0) {
  process.stderr.write(`No fault has this name. Faults:\n${trials.map(({ name }) => `  ${name}\n`).join('')}`)
  process.exit(1)
}
// Without this, a signal would leave the processes of the members running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
const ttl = Number(values.ttl)
const times = { ttl, loop_wait: 2, retry_timeout: Math.max(3, Math.min(5, Math.floor((ttl - 2) / 2))) }

interface Line {
  fault: string
  'longest pause, s': number
  ledgers: number
  events: number
  acknowledged: number
  retries: number
  'dead queues': number
  flaws: number
}

/** Counts lost, repeated, reordered or altered events and messages, and queues that died without reason. */
function countFlaws({ messages, ...events }: FleetCheck): number {
  const { missing, duplicateEvents, disorder, unexpected, altered, deadWithoutReason } = events
  const { sends, acknowledged, attempts, deliveries, ...wrong } = messages
  return [
    missing,
    duplicateEvents,
    disorder,
    unexpected,
    altered,
    deadWithoutReason,
    ...Object.values(wrong),
  ].reduce((sum, count) => sum + count, 0)
}

const print = (text: string) => process.stdout.write(`${text}\n`)
const lines: Line[] = []
const errors: string[] = []
await using cluster = await startCluster(Number(values.members), times)
print(`Patroni runs ${values.members} members in ${cluster.directory}: ${JSON.stringify(times)}`)
await using fleet = await startFleet({
  clients: Number(values.clients),
  database_url: cluster.url('oxbow'),
})
await fleet.waitForEvents()
for (const { name, run } of [{ name: 'nothing', run: () => fleet.waitForEvents() }, ...chosen]) {
  try {
    await run(cluster, fleet)
    await cluster.restore()
    await fleet.waitForEvents()
    const check = await fleet.check()
    const flaws = countFlaws(check)
    if (flaws > 0) errors.push(`${name}: ${JSON.stringify(check)}`)
    errors.push(...check.unexplainedErrors.map((error) => `${name}: ${error}`))
    lines.push({
      fault: name,
      'longest pause, s': Math.round(check.longestPause / 100) / 10,
      ledgers: check.ledgers,
      events: check.events,
      acknowledged: check.messages.acknowledged,
      retries: check.messages.attempts - check.messages.sends,
      'dead queues': check.dead,
      flaws,
    })
    print(JSON.stringify(lines.at(-1)))
  } catch (error) {
    errors.push(`${name}: ${(error as Error).stack}`)
    break
  }
}
// biome-ignore lint/suspicious/noConsole: prints a table for the operator
console.table(lines)
for (const error of errors.slice(0, 20)) print(error)
process.exitCode = errors.length === 0 ? 0 : 1
