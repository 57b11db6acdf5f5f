import { setTimeout } from 'node:timers/promises'
import type { Account } from '@oxbow/testkit'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { record } from '../results.ts'
import {
  addStreams,
  type BenchStream,
  createLargeOrganization,
  insertSubscriptions,
  type LargeOrganization,
} from '../subscriptions/large-organization.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'

const sizes = [10, 1_000, 100_000]
const alertedPeople = 10_000
const rounds = 300
/**
 * Number of rounds that are not measured, in which the nodes compile code and PostgreSQL chooses
 * its plans.
 */
const warmUpRounds = 40
/** Pause after a send, so that its delivery does not delay the next one. */
const pauseMs = 6

const texts = {
  plain: 'The roses by the south wall want pruning before the first frost, and soon.',
  toAll: 'The roses by the south wall want pruning before the frost comes, @**all**.',
  alerting: 'The roses by tulip1 want tulip2 before the first frost, and tulip3 soon.',
}

/** A kind of send, with the durations of its sends in milliseconds. */
interface Kind {
  label: string
  name: string
  /** Number of subscribers. */
  size: number
  connection: Connection
  form: Record<string, string>
  times: number[]
}

/** Measures the duration of sends to audiences of different sizes; each round measures every kind once. */
export async function benchAudiences(): Promise<Figure[]> {
  await using quiet = await startAudience()
  await using alert = await startAudience(setAlertWords)
  const kinds = [
    ...kindsOf(quiet, 'plain', texts.plain),
    ...kindsOf(quiet, '@**all**', texts.toAll),
    ...kindsOf(alert, "10,000 people's alert words, none of them", texts.plain),
    ...kindsOf(alert, "10,000 people's alert words, those of three", texts.alerting),
  ]
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const kind of shuffled(kinds)) {
      const start = performance.now()
      await kind.connection.post('/messages', kind.form)
      if (round >= warmUpRounds) kind.times.push(performance.now() - start)
      await setTimeout(pauseMs)
    }
  }
  await expectRows(quiet.organization, alert.organization)
  const medians = kinds.map(({ times }) => median(times))
  for (const [index, { label, size, name }] of kinds.entries()) {
    const value = medians[index] ?? Number.NaN
    print(`${label}: ${value.toFixed(2)} ms`)
    record({ bench: 'audiences', name, count: size, value, unit: 'ms', better: 'less' })
  }
  const [smallest, largest] = [Math.min(...medians), Math.max(...medians)]
  return [
    {
      label: '(b) a send to 10, 1,000 and 100,000 people, plain, to @**all**, with alert words',
      measured: `${smallest.toFixed(2)} to ${largest.toFixed(2)} ms, largest ${(largest / smallest).toFixed(2)} times the smallest`,
      wanted: bound('at most 1.3', largest / smallest <= 1.3),
    },
    ...sizes.map((size, index) => ({
      label: `    to ${size.toLocaleString('en')}`,
      measured: medians
        .filter((_, kind) => kind % sizes.length === index)
        .map((each) => `${each.toFixed(2)} ms`)
        .join(', '),
    })),
  ]
}

/** An organization with a stream of each size, and its node. */
type Audience = Awaited<ReturnType<typeof startAudience>>

async function startAudience(prepare: (organization: LargeOrganization) => Promise<void> = async () => {}) {
  await using starting = new AsyncDisposableStack()
  const organization = starting.use(await createLargeOrganization(Math.max(...sizes)))
  const sender = organization.members[0] as Account
  const streams = await addStreams(organization, sizes.length)
  await insertSubscriptions(
    organization,
    ...sizes.map((size, index) => ({
      streams: [streams[index] as BenchStream],
      people: [...organization.keylessUserIds.slice(0, size - 1), sender.user_id],
    })),
  )
  await prepare(organization)
  const node = starting.use(await startProbedNode(organization))
  const connection = starting.use(new Connection(node.url, sender))
  const owned = starting.move()
  return { organization, streams, connection, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function setAlertWords({ session, organization_id, keylessUserIds }: LargeOrganization): Promise<void> {
  await session.query(
    `insert into alert_word (organization_id, user_id, word, spelling)
     select $1, user_id, 'tulip' || number, 'tulip' || number from unnest($2::bigint[]) with ordinality as person (user_id, number)`,
    [organization_id, keylessUserIds.slice(0, alertedPeople)],
  )
  await session.query('vacuum analyze alert_word')
}

function kindsOf({ streams, connection }: Audience, name: string, content: string): Kind[] {
  return sizes.map((size, index) => ({
    label: `${name}, to ${size.toLocaleString('en')}`,
    name,
    size,
    connection,
    form: { type: 'stream', to: String(streams[index]?.id), topic: 'roses', content },
    times: [],
  }))
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/**
 * Checks that only alerted people have `user_message` rows in streams: three for each send with alert words. Each
 * account also has a row for its private welcome message.
 */
async function expectRows(quiet: LargeOrganization, alert: LargeOrganization): Promise<void> {
  const counting = 'select count(*)::int as count from user_message where not is_private'
  const count = async ({ session }: LargeOrganization) =>
    (await session.query<{ count: number }>(counting)).rows[0]?.count
  const expected = (rounds + warmUpRounds) * sizes.length * 3
  const [quietRows, alertRows] = [await count(quiet), await count(alert)]
  if (quietRows !== 0 || alertRows !== expected)
    throw new Error(`${quietRows} and ${alertRows} rows were written instead of 0 and ${expected}`)
}
