import type { Account } from '@oxbow/testkit'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import type { Probe } from '../probe/ask-probe.ts'
import { record } from '../results.ts'
import {
  addStreams,
  type BenchStream,
  createLargeOrganization,
  insertSubscriptions,
} from '../subscriptions/large-organization.ts'
import { bound } from './bound.ts'
import { processorTime } from './processor-time.ts'
import { startBareSender } from './sending/bare-sender.ts'
import { captureSend, type SendStatement } from './sending/captured-send.ts'
import { loadSends } from './sending/load-sends.ts'
import { pgbenchSends } from './sending/pgbench-sends.ts'

const turns = 9
const seconds = 4
export const connections = 16
const subscribers = 100
/** Number of connections to PostgreSQL, of our node and of the bare server. */
const poolSize = 10

const text = 'The roses by the south wall want *pruning* before the first frost comes.'

/**
 * Measures messages sent to a stream per second, and compares them to a bare route that runs the
 * same statement and to pgbench. These two share a database without a node, so that their messages
 * are not delivered.
 */
export async function benchSending({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using ours = await createSendScenario()
  await using theirs = await createSendScenario()
  await using node = await startProbedNode(ours.organization)
  await using bare = await startBareSender(theirs.organization.database.url, theirs.statement, poolSize)
  const send = { form: ours.form, connections, seconds }
  const measureOurs = () => measureOnce(ours, node.probe, () => loadSends(node.url, ours.sender, send))
  const measureBare = () => measureOnce(theirs, bare.probe, () => loadSends(bare.url, theirs.sender, send))
  await measureOurs()
  await measureBare()
  const found: { we: Measurement; they: Measurement; pgbench: number }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [we, they] = [await measureOurs(), await measureBare()]
    const pgbench = await pgbenchSends(theirs.organization, theirs.statement, {
      clients: connections,
      seconds,
    })
    await emptyOutbox(theirs)
    found.push({ we, they, pgbench })
    print(
      `turn ${turn}: Oxbow ${showMeasurement(we)}; bare Fastify ${showMeasurement(they)}; pgbench ${Math.round(pgbench)}/s; ratios ${(we.rate / they.rate).toFixed(2)} and ${(we.rate / pgbench).toFixed(2)}`,
    )
  }
  if (profile) {
    await node.probe.startProfile()
    await measureOurs()
    print(`Oxbow while messages are sent:\n${(await node.probe.stopProfile()).join('\n')}`)
  }
  return figuresOf(found)
}

/** An organization with one stream to send to, and the SQL statement of a send. */
export type SendScenario = Awaited<ReturnType<typeof createSendScenario>>

export async function createSendScenario(content = text) {
  await using starting = new AsyncDisposableStack()
  const organization = starting.use(await createLargeOrganization(subscribers))
  const [stream] = (await addStreams(organization, 1)) as [BenchStream]
  const sender = organization.members[0] as Account
  await insertSubscriptions(organization, {
    streams: [stream],
    people: [...organization.keylessUserIds, sender.user_id],
  })
  const form = { type: 'stream', to: String(stream.id), topic: 'roses', content }
  const statement: SendStatement = await captureSend(organization, sender, form)
  const owned = starting.move()
  return { organization, sender, form, statement, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Empties the outbox, which would grow because no node delivers its events. */
async function emptyOutbox({ organization }: SendScenario): Promise<void> {
  await organization.session.query('truncate outbox')
}

export interface Measurement {
  /** Messages per second. */
  rate: number
  /** Processor time of the server for one send, in microseconds. */
  cost: number
  /**
   * Processor time of PostgreSQL's sessions for one send, in microseconds; undefined if it cannot
   * be read.
   */
  databaseCost: number | undefined
}

export async function measureOnce(
  { organization }: SendScenario,
  probe: Probe,
  load: () => Promise<number>,
): Promise<Measurement> {
  const count = async () => {
    const { rows } = await organization.session.query<{ id: number }>(
      'select last_value as id from message_id',
    )
    return rows[0]?.id ?? 0
  }
  const [before, cpu, databaseCpu] = [
    await count(),
    await probe.cpu(),
    await processorTime(organization.session),
  ]
  const rate = await load()
  const sent = (await count()) - before
  const [after, databaseAfter] = [await probe.cpu(), await processorTime(organization.session)]
  return {
    rate,
    cost: ((after - cpu) / sent) * 1000,
    databaseCost:
      databaseCpu === undefined || databaseAfter === undefined
        ? undefined
        : ((databaseAfter - databaseCpu) / sent) * 1000,
  }
}

export const showMeasurement = ({ rate, cost, databaseCost }: Measurement) =>
  `${Math.round(rate)}/s (${cost.toFixed(0)} µs of processor a send, PostgreSQL ${databaseCost?.toFixed(0) ?? '?'} µs)`

function figuresOf(found: readonly { we: Measurement; they: Measurement; pgbench: number }[]): Figure[] {
  const rate = median(found.map(({ we }) => we.rate))
  const ratio = median(found.map(({ we, they }) => we.rate / they.rate))
  const toPgbench = median(found.map(({ we, pgbench }) => we.rate / pgbench))
  const common = { bench: 'messages' } as const
  record({
    ...common,
    name: 'sends',
    value: ratio,
    unit: 'of bare Fastify with the same SQL',
    better: 'more',
  })
  record({ ...common, name: 'sends beside pgbench', value: toPgbench, unit: 'of pgbench', better: 'more' })
  const costOf = median(found.map(({ we }) => we.cost))
  const databaseCostOf = median(found.map(({ we }) => we.databaseCost ?? Number.NaN))
  record({
    ...common,
    name: 'processor time of a send in the node',
    value: costOf,
    unit: 'µs',
    better: 'less',
  })
  record({
    ...common,
    name: 'processor time of a send in PostgreSQL',
    value: databaseCostOf,
    unit: 'µs',
    better: 'less',
  })
  const costs = (of: (each: (typeof found)[number]) => Measurement) =>
    `${median(found.map((each) => of(each).cost)).toFixed(0)} µs, PostgreSQL ${median(found.map((each) => of(each).databaseCost ?? Number.NaN)).toFixed(0)} µs`
  return [
    {
      label: `(a) sends from ${connections} connections`,
      measured: `${Math.round(rate)}/s, ${ratio.toFixed(2)} of bare Fastify with the same SQL (${Math.round(median(found.map(({ they }) => they.rate)))}/s)`,
      wanted: bound('at least 0.6', ratio >= 0.6),
    },
    {
      label: '    beside pgbench with the same SQL',
      measured: `${toPgbench.toFixed(2)} (${Math.round(median(found.map(({ pgbench }) => pgbench)))}/s)`,
      wanted: bound('0.4 would be good', toPgbench >= 0.4),
    },
    {
      label: '    processor time of a send',
      measured: `${costs(({ we }) => we)}, with its delivery; bare ${costs(({ they }) => they)}`,
    },
  ]
}
