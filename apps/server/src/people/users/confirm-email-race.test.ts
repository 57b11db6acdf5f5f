import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startMailServer, startWorld } from '@oxbow/testkit'
import { ownPage } from '@oxbow/testkit/calls/joining'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())

test('confirming an address while the API key is replaced does not deadlock', async () => {
  await using world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
  const { a, b } = world.nodes
  const movers = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const person = await world.person(`mover${index}`)
      const email = `new${index}@elsewhere.example`
      await person.users.updateSettings({ email })
      const { text } = await mail.waitForEmail(email)
      const path = /(\/accounts\/confirm_new_email\/[a-z0-9]{24})\s/.exec(text)?.[1] ?? ''
      return { person, path }
    }),
  )

  const outcomes = await Promise.all(
    movers.flatMap(({ person, path }) => [
      request(b.url, { method: 'POST', path, headers: ownPage }).then(({ status }) => status),
      person.users.regenerateApiKey().then(
        () => 200,
        ({ status }) => status,
      ),
    ]),
  )

  // The second request finds the link invalid, or the account with another address.
  assert.deepEqual(new Set(outcomes).difference(new Set([200, 401, 404])), new Set())
  // PostgreSQL sessions may delay their statistics until they end.
  await Promise.all([a.stop(), b.stop()])
  const [numbers] = await world.database.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.equal(numbers?.deadlocks, 0)
})
