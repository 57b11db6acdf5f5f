import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import { addUserByOperator } from '@oxbow/server'
import {
  createGarden,
  createTestDatabase,
  eventually,
  hasFakeClock,
  makeFakeClock,
  startNodeProcess,
  withApp,
} from '@oxbow/testkit'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { bySize } from '@oxbow/testkit/size'

const messageCount = bySize({ gate: 400, long: 10_000 })
const senderCount = 20
/** Half of the messages are due one after the other within this time, the other half all at once. */
const spreadSeconds = bySize({ gate: 3, long: 60 })
const maxSecondsLate = 60

const populate = (database_url: string) =>
  withApp(database_url, async (app) => {
    const owner = await createGarden(app)
    const senders = [owner]
    while (senders.length < senderCount) {
      const account = { subdomain: '', email: `s${senders.length}@garden.example`, full_name: 'Someone' }
      senders.push({ ...owner, ...(await addUserByOperator(app, { ...account, role: 'member' })) })
    }
    return senders
  })

test('each scheduled message is sent once and in time while one node is killed and the clock of another jumps', {
  skip: !hasFakeClock && 'libfaketime is not installed',
}, async () => {
  await using database = await createTestDatabase()
  const database_url = database.url
  const senders = await populate(database_url)
  using clock = makeFakeClock()
  await using jumping = await startNodeProcess({ database_url, env: clock.env })
  await using dying = await startNodeProcess({ database_url })
  const clients = senders.map(({ email, api_key }) =>
    createClient({ url: jumping.url, credentials: { email, api_key } }),
  )
  for (const client of clients) await schedule(client, { to: 'general', topic: 'roses' })
  // Copies the scheduled messages, because scheduling each by a request would take minutes.
  await database.query(
    `insert into scheduled_message (organization_id, sender_id, is_reminder, stream_id, topic, content,
       rendered_content, client, origin, is_read_by_sender, deliver_at, attempt_at)
     select m.organization_id, m.sender_id, false, m.stream_id, 'numbered', number, '', m.client, m.origin, false,
       moment.due, moment.due
     from generate_series(1, $1) as number
     join (select *, row_number() over (order by id) as place from scheduled_message) m
       on m.place = 1 + number % $2
     cross join lateral (
       select now() + make_interval(secs => 1 + case when number % 2 = 0 then 0.5 else number::float / $1 end * $3) as due
     ) as moment`,
    [messageCount, senderCount, spreadSeconds],
  )
  const times = await database.query<{ number: number; due: Date }>(
    "select content::int as number, deliver_at as due from scheduled_message where topic = 'numbered'",
  )
  assert.equal(times.length, messageCount)
  const countSent = async () => {
    const [row] = await database.query<{ sent: number }>(
      "select count(*)::int as sent from message where topic = 'numbered'",
    )
    return row?.sent ?? 0
  }
  await eventually(async () => (await countSent()) > messageCount / 10)
  clock.set('+400d')
  const shown = (await fetch(`${jumping.url}/health`)).headers.get('date') ?? ''
  assert.ok(Date.parse(shown) > Date.now() + 300 * 86_400_000, `the clock of the node shows ${shown}`)
  await eventually(async () => (await countSent()) > messageCount / 3)
  dying.signal('SIGKILL')
  clock.set('-30d')
  await eventually(async () => {
    const remaining = await database.query("select from scheduled_message where topic = 'numbered' limit 1")
    return remaining.length === 0
  }, 180_000)

  const sent = await database.query<{ number: number; sent_at: Date }>(
    "select content::int as number, sent_at from message where topic = 'numbered'",
  )
  assert.equal(sent.length, messageCount)
  assert.equal(new Set(sent.map(({ number }) => number)).size, messageCount)
  const due = new Map(times.map((time) => [time.number, time.due.getTime()]))
  const delays = sent
    .map(({ number, sent_at }) => sent_at.getTime() - (due.get(number) ?? Number.NaN))
    .toSorted((a, b) => a - b)
  const [first = 0, median = 0, last = 0] = [0, Math.floor(delays.length / 2), -1].map((at) => delays.at(at))
  process.stdout.write(
    `${messageCount} scheduled messages within ${spreadSeconds} s: half at most ${median} ms late, the last ${last} ms\n`,
  )
  assert.ok(first >= 0, `a message was sent ${-first} ms too early`)
  assert.ok(last < maxSecondsLate * 1_000, `a message was ${last} ms late`)
  assert.ok(!jumping.hasExited(), jumping.output())
})
