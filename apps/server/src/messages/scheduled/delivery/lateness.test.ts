import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, repeatIfSlowed, startWorld } from '@oxbow/testkit'
import { schedule } from '@oxbow/testkit/calls/scheduled-messages'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const maxMsLate = 5_000

test('without a backlog no message is delivered early or more than 5 s late', async () => {
  const people = await world.people('iris', 'otto', 'mia')
  await world.stream('garden', { members: people })
  const due = people.flatMap((person, index) => [0, 2, 4].map((seconds) => ({ person, at: seconds + index })))

  await repeatIfSlowed(world.database, 1_000, async (attempt) => {
    const topic = `clock ${attempt}`
    for (const { person, at } of due) await schedule(person, { to: 'garden', topic, content: `${at}` })
    // All messages get their times at once, because a slow machine may need longer to schedule them than the
    // first one has to wait.
    const [first] = await world.database.query<{ start: number }>(
      `with clock as (select date_trunc('second', now()) + interval '2 seconds' as start)
       update scheduled_message set deliver_at = start + make_interval(secs => content::int),
         attempt_at = start + make_interval(secs => content::int)
       from clock where topic = $1 returning extract(epoch from start)::int as start`,
      [topic],
    )
    const readDelays = async () =>
      (
        await world.database.query<{ delay: number }>(
          `select (1000 * (extract(epoch from sent_at) - $3::int - content::int))::int as delay
           from message where organization_id = $1 and topic = $2 order by delay`,
          [world.organization_id, topic, first?.start],
        )
      ).map(({ delay }) => delay)
    await eventually(async () => (await readDelays()).length === due.length)

    const delays = await readDelays()
    assert.ok(
      delays.every((delay) => delay >= 0 && delay < maxMsLate),
      `late by ${delays} ms`,
    )
  })
})
