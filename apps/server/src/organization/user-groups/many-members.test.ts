import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import type { UserId } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { makeGroup, readGroup } from '@oxbow/testkit/calls/user-groups'
import pg from 'pg'

/**
 * The statements of each request that changes a group or sends a message, in the order of the
 * requests.
 */
const calls: string[][] = []
const requests = new AsyncLocalStorage<string[]>()

// The method is replaced before the nodes connect, so that all their statements are recorded.
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const { text } = args[0] as { text?: string }
  const statements = requests.getStore()
  // Statements before the transaction are not counted, because they depend on the cache of
  // accounts.
  if (text === 'begin') statements?.splice(0)
  if (text !== undefined) statements?.push(text)
  return Reflect.apply(query, this, args)
} as typeof query

const startRecording = (message: unknown) => {
  const { method } = (message as { request: IncomingMessage }).request
  if (method === 'GET') return
  const statements: string[] = []
  calls.push(statements)
  requests.enterWith(statements)
}
subscribe('http.server.request.start', startRecording)

async function statementsOf(call: Promise<unknown>): Promise<string[]> {
  await call
  return calls.at(-1) ?? []
}

const world = await startWorld({ ownServer: true })
after(async () => {
  pg.Client.prototype.query = query
  unsubscribe('http.server.request.start', startRecording)
  await world[Symbol.asyncDispose]()
})
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [owner, iris, otto] })

/** Inserts accounts without API keys. */
const accountsWithoutKeys = await world.database.query<{ id: UserId }>(
  `with account as (
     insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1, 'stranger' || number || '@garden.example', 'Stranger ' || number, 400, sha256(number::text::bytea), ''
     from generate_series(1, 10000) as number
     returning organization_id, id
   ), setting as (
     insert into user_setting (organization_id, user_id) select organization_id, id from account
   ), period as (
     insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
     select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
   )
   select id from account order by id`,
  [world.organization_id],
)
const crowd = accountsWithoutKeys.map(({ id }) => id)

test('adding and removing ten thousand members runs the same statements as with ten members', async () => {
  const [small, large] = [await makeGroup(owner, 'Few', otto), await makeGroup(owner, 'Crowd', otto)]
  const change = (user_group_id: typeof small, params: { add?: UserId[]; delete?: UserId[] }) =>
    statementsOf(owner.userGroups.changeMembers({ user_group_id, ...params }))
  const inbox = await openQueue(iris, { event_types: ['user_group'] }, 'b')

  const fewCome = await change(small, { add: crowd.slice(0, 10) })
  const manyCome = await change(large, { add: crowd })
  const [, came] = await inbox.take(2)
  const listed = await readGroup(iris, large)
  const fewGo = await change(small, { delete: crowd.slice(0, 10) })
  const manyGo = await change(large, { delete: crowd })

  assert.ok(fewCome.some((text) => text.includes('insert into user_group_member')))
  assert.deepEqual(manyCome, fewCome)
  assert.ok(fewGo.some((text) => text.includes('delete from user_group_member')))
  assert.deepEqual(manyGo, fewGo)
  assert.ok(came?.type === 'user_group' && came.op === 'add_members')
  assert.deepEqual(came.user_ids, crowd)
  assert.deepEqual(
    listed?.members,
    [otto.user_id, ...crowd].sort((a, b) => a - b),
  )
  assert.deepEqual((await readGroup(iris, large))?.members, [otto.user_id])
})

test('creating and mentioning a group of ten thousand members runs the same statements as with ten', async () => {
  const make = (name: string, members: UserId[]) =>
    statementsOf(owner.userGroups.create({ name, description: '', members }))
  // Fills the cache of send preconditions, which include whether the stream has messages.
  for (const content of ['Hello', 'Hello again']) await sendToStream(iris, garden, 'roses', content)
  const inbox = await openQueue(otto, { event_types: ['message'] }, 'b')
  const sending = async (content: string) =>
    (await statementsOf(sendToStream(iris, garden, 'roses', content))).filter((text) =>
      /user_group|send_message/.test(text),
    )

  assert.deepEqual(await make('All', [otto.user_id, ...crowd]), await make('Ten', crowd.slice(0, 10)))
  const without = await sending('Just *words* @ *home*')
  const withFew = await sending('@*Ten* come')
  const withMany = await sending('@*All* come')

  assert.deepEqual([without.length, withFew.length], [1, 3])
  assert.deepEqual(withMany, withFew)
  const flags = (await inbox.take(3)).map((event) => event.type === 'message' && event.flags)
  assert.deepEqual(flags, [[], [], ['mentioned']])
  const [noted] = await world.database.query<{ count: number }>(
    'select count(*)::int from user_message where is_mentioned',
  )
  assert.equal(noted?.count, 1)
})
