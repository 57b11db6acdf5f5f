import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { countTraffic } from './count-traffic.ts'
import { deleteOldMessages } from './retention.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { app } = world.nodes.a
const other = await world.addOrganization('orchard')

/** Makes an operation on rows of the table fail if the column has this value. */
const breakFor = (table: string, operation: string, column: string, value: number) =>
  world.database.query(`
    create function refuse_${table}() returns trigger language plpgsql as $$
      begin raise exception 'the rows of ${table} are damaged'; end $$;
    create trigger refuse_${table} before ${operation} on ${table} for each row
      when (${operation === 'delete' ? 'old' : 'new'}.${column} = ${value}) execute function refuse_${table}();`)

const sendOld = async (person: Person, to: string): Promise<MessageId> => {
  const id = await sendToStream(person, to, 'roses')
  await setMessageAge(world, id, 9 * 86_400)
  return id
}

const exists = async (id: MessageId) =>
  (await world.database.query('select from message where id = $1', [id])).length > 0

test('retention continues in other streams and organizations after one stream fails', async () => {
  for (const owner of [world.owner, other.owner])
    await owner.subscriptions.subscribe({ subscriptions: [{ name: 'damaged' }, { name: 'sound' }] })
  await world.database.query('update organization set message_retention_days = 7')
  const damaged = await sendOld(world.owner, 'damaged')
  const sound = await sendOld(world.owner, 'sound')
  const elsewhere = await sendOld(other.owner, 'sound')
  await breakFor('message', 'delete', 'id', damaged)

  await assert.rejects(
    deleteOldMessages.run(app, {}),
    /1 of 2 organizations.*the rows of message are damaged/,
  )

  assert.deepEqual(await Promise.all([damaged, sound, elsewhere].map(exists)), [true, false, false])
})

test('traffic is counted for an organization even if counting another fails', async () => {
  await sendOld(world.owner, 'sound')
  await sendOld(other.owner, 'sound')
  await breakFor('traffic_count', 'insert', 'organization_id', world.organization_id)

  await assert.rejects(countTraffic.run(app, {}), /the rows of traffic_count are damaged/)

  const counted = await world.database.query('select from stream_traffic where organization_id = $1', [
    other.organization_id,
  ])
  assert.equal(counted.length, 1)
})
