import { setTimeout } from 'node:timers/promises'
import type { Account } from '@oxbow/testkit'
import { startProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { addStreams, type Bed, plantVillage, putInto, type Village } from '../subscriptions/village.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'

const sizes = [10, 1_000, 100_000]
const alertedPeople = 10_000
const rounds = 300
/** They let the nodes compile what they run, and PostgreSQL settle on its plans. */
const firstRounds = 40
/** After a send the node still delivers; the next one is not to wait for that. */
const pause = 6

const texts = {
  plain: 'The roses by the south wall want pruning before the first frost, and soon.',
  toAll: 'The roses by the south wall want pruning before the frost comes, @**all**.',
  alerting: 'The roses by tulip1 want tulip2 before the first frost, and tulip3 soon.',
}

/** A kind of send, and how long each took. */
interface Kind {
  what: string
  connection: Connection
  form: Record<string, string>
  times: number[]
}

/** What a send takes, whoever is there to receive it: every kind has its turn in each round. */
export async function benchAudiences(): Promise<Figure[]> {
  await using quiet = await startAudience()
  await using alert = await startAudience(setAlertWords)
  const kinds = [
    ...kindsOf(quiet, 'plain', texts.plain),
    ...kindsOf(quiet, '@**all**', texts.toAll),
    ...kindsOf(alert, "10,000 people's alert words, none of them", texts.plain),
    ...kindsOf(alert, "10,000 people's alert words, those of three", texts.alerting),
  ]
  for (let round = 0; round < rounds + firstRounds; round++) {
    for (const kind of shuffled(kinds)) {
      const start = performance.now()
      await kind.connection.post('/messages', kind.form)
      if (round >= firstRounds) kind.times.push(performance.now() - start)
      await setTimeout(pause)
    }
  }
  await expectRows(quiet.village, alert.village)
  const medians = kinds.map(({ times }) => median(times))
  for (const [place, { what }] of kinds.entries()) say(`${what}: ${medians[place]?.toFixed(2)} ms`)
  const [smallest, largest] = [Math.min(...medians), Math.max(...medians)]
  return [
    {
      what: '(b) a send to 10, 1,000 and 100,000 people, plain, to @**all**, with alert words',
      measured: `${smallest.toFixed(2)} to ${largest.toFixed(2)} ms, largest ${(largest / smallest).toFixed(2)} times the smallest`,
      wanted: bound('at most 1.3', largest / smallest <= 1.3),
    },
    ...sizes.map((size, place) => ({
      what: `    to ${size.toLocaleString('en')}`,
      measured: medians
        .filter((_, kind) => kind % sizes.length === place)
        .map((each) => `${each.toFixed(2)} ms`)
        .join(', '),
    })),
  ]
}

/** A village whose streams have these sizes, with a node. */
type Audience = Awaited<ReturnType<typeof startAudience>>

async function startAudience(prepare: (village: Village) => Promise<void> = async () => {}) {
  await using starting = new AsyncDisposableStack()
  const village = starting.use(await plantVillage(Math.max(...sizes)))
  const sender = village.members[0] as Account
  const beds = await addStreams(village, sizes.length)
  await putInto(
    village,
    ...sizes.map((size, place) => ({
      streams: [beds[place] as Bed],
      people: [...village.villagers.slice(0, size - 1), sender.user_id],
    })),
  )
  await prepare(village)
  const node = starting.use(await startProbedNode(village))
  const connection = starting.use(new Connection(node.url, sender))
  const owned = starting.move()
  return { village, beds, connection, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

async function setAlertWords({ session, organization_id, villagers }: Village): Promise<void> {
  await session.query(
    `insert into alert_word (organization_id, user_id, word, spelling)
     select $1, user_id, 'tulip' || place, 'tulip' || place from unnest($2::bigint[]) with ordinality as person (user_id, place)`,
    [organization_id, villagers.slice(0, alertedPeople)],
  )
  await session.query('vacuum analyze alert_word')
}

function kindsOf({ beds, connection }: Audience, what: string, content: string): Kind[] {
  return sizes.map((size, place) => ({
    what: `${what}, to ${size.toLocaleString('en')}`,
    connection,
    form: { type: 'stream', to: String(beds[place]?.id), topic: 'roses', content },
    times: [],
  }))
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Only those who were alerted have rows: three for each such send. */
async function expectRows(quiet: Village, alert: Village): Promise<void> {
  const count = async ({ session }: Village) =>
    (await session.query<{ count: number }>('select count(*)::int as count from user_message')).rows[0]?.count
  const expected = (rounds + firstRounds) * sizes.length * 3
  const [none, some] = [await count(quiet), await count(alert)]
  if (none !== 0 || some !== expected)
    throw new Error(`rows for ${none} and ${some} were written instead of 0 and ${expected}`)
}
