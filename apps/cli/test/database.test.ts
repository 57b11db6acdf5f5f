import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '@oxbow/testkit'
import { environmentFor, runOxbow } from './run-oxbow.ts'

const database = await createTestDatabase()
await database.query('delete from server')
after(() => database[Symbol.asyncDispose]())
const environment = environmentFor(database.url)

const newestIds = async () => {
  const [row] = await database.query<{ message: number; account: number }>(
    'select (select last_value from message_id) as message, (select last_value from user_account_id_seq) as account',
  )
  return row ?? { message: 0, account: 0 }
}

test('database restored skips ids, and skips more ids for an earlier --since', async () => {
  const before = await newestIds()

  const { status, stdout } = await runOxbow(environment, 'database', 'restored')
  assert.deepEqual(
    [status, stdout],
    [
      0,
      'Recorded. New event numbers and ids start above all that may have been used. You can start the nodes.\n',
    ],
  )
  const after = await newestIds()
  assert.ok(after.message >= before.message + 1_000_000, `${after.message}`)
  assert.ok(after.account >= before.account + 100_000, `${after.account}`)

  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await runOxbow(environment, 'database', 'restored', '--since', anHourAgo, '--json')
  const last = await newestIds()
  assert.ok(last.message >= after.message + 3_600 * 20_000, `${last.message}`)
})

test('database restored refuses an invalid time', async () => {
  const { status, stderr } = await runOxbow(environment, 'database', 'restored', '--since', 'yesterday')

  assert.equal(status, 1)
  assert.match(stderr, /--since yesterday is not a valid time\. Write it like 2026-11-14T03:00:00Z\./)
})
