import type { Account } from '@oxbow/testkit'
import { startProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import type { Probe } from '../probe/ask-probe.ts'
import { addStreams, type Bed, plantVillage, putInto } from '../subscriptions/village.ts'
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
/** The node holds this many connections to PostgreSQL, and so does the bare server. */
const poolSize = 10

const text = 'The roses by the south wall want *pruning* before the first frost comes.'

/**
 * Messages sent to a stream in a second, beside a bare route that runs the same statement and beside pgbench. The
 * others have a database of their own: nobody delivers what they send, which is no part of the statement.
 */
export async function benchSending({ profile }: { profile: boolean }): Promise<Figure[]> {
  await using ours = await plantField()
  await using theirs = await plantField()
  await using node = await startProbedNode(ours.village)
  await using bare = await startBareSender(theirs.village.database.url, theirs.statement, poolSize)
  const send = { form: ours.form, connections, seconds }
  const turnOfOurs = () => takeTurn(ours, node.probe, () => loadSends(node.url, ours.sender, send))
  const turnOfBare = () => takeTurn(theirs, bare.probe, () => loadSends(bare.url, theirs.sender, send))
  await turnOfOurs()
  await turnOfBare()
  const found: { we: Turn; they: Turn; pgbench: number }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [we, they] = [await turnOfOurs(), await turnOfBare()]
    const pgbench = await pgbenchSends(theirs.village, theirs.statement, { clients: connections, seconds })
    await empty(theirs)
    found.push({ we, they, pgbench })
    say(
      `turn ${turn}: Oxbow ${showTurn(we)}; bare Fastify ${showTurn(they)}; pgbench ${Math.round(pgbench)}/s; ratios ${(we.rate / they.rate).toFixed(2)} and ${(we.rate / pgbench).toFixed(2)}`,
    )
  }
  if (profile) {
    await node.probe.startProfile()
    await turnOfOurs()
    say(`Oxbow while messages are sent:\n${(await node.probe.stopProfile()).join('\n')}`)
  }
  return figuresOf(found)
}

/** A village with one stream that is written to. */
export type Field = Awaited<ReturnType<typeof plantField>>

export async function plantField() {
  await using planting = new AsyncDisposableStack()
  const village = planting.use(await plantVillage(subscribers))
  const [bed] = (await addStreams(village, 1)) as [Bed]
  const sender = village.members[0] as Account
  await putInto(village, { streams: [bed], people: [...village.villagers, sender.user_id] })
  const form = { type: 'stream', to: String(bed.id), topic: 'roses', content: text }
  const statement: SendStatement = await captureSend(village, sender, form)
  const owned = planting.move()
  return { village, sender, form, statement, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** What nobody delivers would make the table larger from turn to turn. */
async function empty({ village }: Field): Promise<void> {
  await village.session.query('truncate outbox')
}

export interface Turn {
  rate: number
  /** Microseconds of a processor for one send: of the server, and of PostgreSQL's sessions if they can be seen. */
  cost: number
  databaseCost: number | undefined
}

export async function takeTurn({ village }: Field, probe: Probe, load: () => Promise<number>): Promise<Turn> {
  const count = async () => {
    const { rows } = await village.session.query<{ id: number }>('select last_value as id from message_id')
    return rows[0]?.id ?? 0
  }
  const [before, cpu, databaseCpu] = [await count(), await probe.cpu(), await processorTime(village.session)]
  const rate = await load()
  const sent = (await count()) - before
  const [after, databaseAfter] = [await probe.cpu(), await processorTime(village.session)]
  return {
    rate,
    cost: ((after - cpu) / sent) * 1000,
    databaseCost:
      databaseCpu === undefined || databaseAfter === undefined
        ? undefined
        : ((databaseAfter - databaseCpu) / sent) * 1000,
  }
}

export const showTurn = ({ rate, cost, databaseCost }: Turn) =>
  `${Math.round(rate)}/s (${cost.toFixed(0)} µs of processor a send, PostgreSQL ${databaseCost?.toFixed(0) ?? '?'} µs)`

function figuresOf(found: readonly { we: Turn; they: Turn; pgbench: number }[]): Figure[] {
  const rate = median(found.map(({ we }) => we.rate))
  const ratio = median(found.map(({ we, they }) => we.rate / they.rate))
  const toPgbench = median(found.map(({ we, pgbench }) => we.rate / pgbench))
  const costs = (of: (each: (typeof found)[number]) => Turn) =>
    `${median(found.map((each) => of(each).cost)).toFixed(0)} µs, PostgreSQL ${median(found.map((each) => of(each).databaseCost ?? Number.NaN)).toFixed(0)} µs`
  return [
    {
      what: `(a) sends from ${connections} connections`,
      measured: `${Math.round(rate)}/s, ${ratio.toFixed(2)} of bare Fastify with the same SQL (${Math.round(median(found.map(({ they }) => they.rate)))}/s)`,
      wanted: bound('at least 0.6', ratio >= 0.6),
    },
    {
      what: '    beside pgbench with the same SQL',
      measured: `${toPgbench.toFixed(2)} (${Math.round(median(found.map(({ pgbench }) => pgbench)))}/s)`,
      wanted: bound('0.4 would be good', toPgbench >= 0.4),
    },
    {
      what: '    processor time of a send',
      measured: `${costs(({ we }) => we)}, with its delivery; bare ${costs(({ they }) => they)}`,
    },
  ]
}
