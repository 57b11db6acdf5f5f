import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import { schedule } from '../../../../test/scheduled.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const maxMsLate = 5_000

test('without a backlog no message is delivered early or more than 5 s late', async () => {
  const people = await world.people('iris', 'otto', 'mia')
  await world.stream('garden', { members: people })
  // All messages must be scheduled before the first one is due.
  const start = Math.ceil(Date.now() / 1_000) + 3
  const due = people.flatMap((person, index) =>
    [0, 2, 4].map((seconds) => ({ person, at: start + seconds + index })),
  )
  for (const { person, at } of due)
    await schedule(person, { to: 'garden', topic: 'clock', content: `${at}`, at })

  const readDelays = async () =>
    (
      await world.database.query<{ delay: number }>(
        `select (1000 * (extract(epoch from sent_at) - content::int))::int as delay
         from message where organization_id = $1 and topic = 'clock' order by delay`,
        [world.organization_id],
      )
    ).map(({ delay }) => delay)
  await eventually(async () => (await readDelays()).length === due.length)

  const delays = await readDelays()
  assert.ok(
    delays.every((delay) => delay >= 0 && delay < maxMsLate),
    `late by ${delays} ms`,
  )
})
