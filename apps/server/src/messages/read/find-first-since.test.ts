import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto] })
await world.stream('hidden', { by: otto, invite_only: true })

const begin = Date.parse('2026-03-01T00:00:00Z')
const minute = 60_000
const messages: { id: number; sentAt: number; topic: string; isSeenByIris: boolean }[] = []
for (let number = 0; number < 40; number++) {
  const to = number % 5 === 4 ? 'hidden' : 'garden'
  const topic = number % 3 === 0 ? 'roses' : 'reeds'
  const { id } = await otto.messages.send({ type: 'stream', to, topic, content: `Pruned number ${number}.` })
  // Hours pass between messages, and the clock is sometimes set back by up to nine minutes.
  const sentAt = begin + number * 6 * 60 * minute - (number % 4 === 3 ? 9 * minute : 0)
  messages.push({ id, sentAt, topic, isSeenByIris: to === 'garden' })
  // A second message is sent directly afterwards, with a clock that is eight minutes ahead.
  const second = await otto.messages.send({ type: 'stream', to, topic, content: 'Again.' })
  messages.push({ id: second.id, sentAt: sentAt + 8 * minute, topic, isSeenByIris: to === 'garden' })
}
await world.database.query(
  `update message m set sent_at = to_timestamp(given.ms / 1000.0)
   from unnest($1::bigint[], $2::bigint[]) as given (id, ms) where m.organization_id = $3 and m.id = given.id`,
  [messages.map(({ id }) => id), messages.map(({ sentAt }) => sentAt), world.organization_id],
)

const listAt = (person: Person, time: number, narrow: object[] = []) =>
  person.messages.list({
    anchor: 'date',
    anchor_date: new Date(time).toISOString(),
    num_before: 2,
    num_after: 2,
    narrow: narrow as never,
  })

const times = [
  begin - 1,
  begin,
  ...messages.flatMap(({ sentAt }, index) => (index % 7 === 0 ? [sentAt, sentAt + 1, sentAt - 1] : [])),
  begin + 9 * 24 * 60 * minute,
]

test('a date finds the first message of the narrow that was sent at that time or later', async () => {
  const narrows: [narrow: object[], matches: (message: (typeof messages)[number]) => boolean][] = [
    [[], () => true],
    [[{ operator: 'stream', operand: garden.stream_id }], () => true],
    [
      [
        { operator: 'stream', operand: 'garden' },
        { operator: 'topic', operand: 'roses' },
      ],
      ({ topic }) => topic === 'roses',
    ],
    [[{ operator: 'sender', operand: otto.user_id }], () => true],
    [[{ operator: 'search', operand: 'again' }], (message) => messages.indexOf(message) % 2 === 1],
  ]
  for (const [narrow, matches] of narrows) {
    const listed = messages.filter((message) => message.isSeenByIris && matches(message))
    for (const time of times) {
      const expected = listed.find(({ sentAt }) => sentAt >= time)
      const { anchor, found_anchor, messages: found } = await listAt(iris, time, narrow)
      const about = `${JSON.stringify(narrow)} at ${new Date(time).toISOString()}`
      assert.equal(anchor, expected?.id ?? 10_000_000_000_000_000, about)
      assert.equal(found_anchor, expected !== undefined, about)
      const index = expected ? listed.indexOf(expected) : listed.length
      assert.deepEqual(
        found.map(({ id }) => id),
        listed.slice(Math.max(index - 2, 0), index + 3).map(({ id }) => id),
        about,
      )
    }
  }
})

test('a date selects the newest anchor for an account without messages', async () => {
  const { anchor, found_newest, messages: found } = await listAt(gus, begin)
  assert.deepEqual([anchor, found_newest, found], [10_000_000_000_000_000, true, []])
})

test('register also accepts a date as the anchor', async () => {
  const time = messages[20]?.sentAt ?? 0
  const { fetched_messages } = await iris.events.register({
    fetch_event_types: [],
    apply_markdown: true,
    fetch_messages: {
      anchor: 'date',
      anchor_date: new Date(time).toISOString(),
      num_before: 2,
      num_after: 2,
    },
  })
  assert.equal(fetched_messages?.anchor, (await listAt(iris, time)).anchor)
})

test('a missing or malformed date is refused', async () => {
  const cases: [query: string, msg: string][] = [
    ['', "Missing 'anchor_date' argument"],
    ['&anchor_date=yesterday', 'anchor_date is not a time such as 2026-04-30T08:15:00Z'],
    ['&anchor_date=2026-03-01', 'anchor_date is not a time such as 2026-04-30T08:15:00Z'],
    ['&anchor_date=2026-13-01T00:00:00Z', 'anchor_date is not a time such as 2026-04-30T08:15:00Z'],
  ]
  for (const [query, msg] of cases) {
    const path = `/api/v1/messages?anchor=date&num_before=1&num_after=1${query}`
    const { status, body } = await request(world.nodes.a.url, { path, credentials: iris })
    assert.deepEqual([status, body.msg], [400, msg])
  }
})
