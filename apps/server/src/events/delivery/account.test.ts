import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { Account } from './queue.ts'

test('accounts with the same id in two organizations are not confused when one statement reads both', async () => {
  await using world = await startWorld({ ownServer: true })
  const { organization_id } = await world.addOrganization('tea')
  const iris = await world.person('iris')
  await world.database.query(
    `insert into user_account (organization_id, id, delivery_email, full_name, role, bot_type, api_key_hash, api_key_sealed)
     overriding system value values ($1, $2, 'twin@tea.example', 'Twin', 400, 1, 'twin', 'twin')`,
    [organization_id, iris.user_id],
  )
  const read = (organization: number, user: UserId) =>
    new Account(world.nodes.a.app.db, organization as OrganizationId, user)

  // While two statements are in flight, further lookups share the next statement.
  const first = [read(world.organization_id, world.owner.user_id), read(world.organization_id, iris.user_id)]
  const person = read(world.organization_id, iris.user_id)
  const bot = read(organization_id, iris.user_id)
  await Promise.all([...first, person, bot].map((account) => account.ready()))

  assert.deepEqual([person.isBot, bot.isBot], [false, true])
})
