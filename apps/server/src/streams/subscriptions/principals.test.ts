import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const robin = await world.bot('robin', iris)
const gone = await world.person('gone')
await world.stream('garden')
await world.stream('gone garden', { members: [gone, otto] })
await owner.users.deactivate({ user_id: gone.user_id })

const nobody = (principal: string | number) =>
  refusal(`User not authorized to execute queries on behalf of '${principal}'`, {
    status: 403,
    code: 'UNAUTHORIZED_PRINCIPAL',
    principal,
  })

let count = 0
/** Subscribes the principals to a new stream and returns the users that the response lists. */
async function subscribe(principals: number[] | string[], by: Person = iris): Promise<string[]> {
  const subscriptions = [{ name: `stream ${++count}` }]
  const { subscribed } = await by.subscriptions.subscribe({ subscriptions, principals: principals as never })
  return Object.keys(subscribed)
}
const unsubscribe = (principals: number[] | string[], by: Person = owner) =>
  by.subscriptions.unsubscribe({ subscriptions: ['garden'], principals: principals as never })

test('principals are named by id or by case-insensitive address, without duplicates', async () => {
  assert.deepEqual(await subscribe([otto.user_id, robin.user_id]), [otto.email, robin.email])
  assert.deepEqual(await subscribe(['OTTO@Garden.Example', robin.email]), [otto.email, robin.email])
  assert.deepEqual(await subscribe([otto.email, otto.email.toUpperCase()]), [otto.email])
  const rosa = await world.person('Rosa')
  assert.deepEqual(await subscribe(['rosa@garden.example']), [rosa.email])
})

test('the error for unknown or deactivated principals repeats the given value', async () => {
  const other = await world.addOrganization('hill')
  const strangers = [gone.user_id, 0, -7, 999_999, 2 ** 53 - 1, other.owner.user_id]
  for (const id of strangers) {
    await assert.rejects(subscribe([otto.user_id, id]), nobody(id))
    await assert.rejects(unsubscribe([otto.user_id, id]), nobody(id))
  }
  for (const email of [gone.email, 'Nobody@garden.example', '', "o'brien", other.owner.email]) {
    await assert.rejects(subscribe([otto.email, email]), nobody(email))
    await assert.rejects(unsubscribe([otto.email, email]), nobody(email))
  }
  await assert.rejects(
    owner.subscriptions.change({ add: [{ name: 'x' }], delete: ['garden'], principals: [gone.user_id] }),
    nobody(gone.user_id),
  )
  const { streams } = await owner.streams.list({ include_all_active: true })
  assert.ok(!streams.some(({ name }) => name === 'x'))
})

test('with hidden addresses principals are named only by their display addresses', async () => {
  await world.database.query('update organization set email_address_visibility = 3')
  const { members } = await iris.users.list()
  const shown = members.find(({ user_id }) => user_id === otto.user_id)?.email ?? ''
  const hiddenGone = shown.replace(String(otto.user_id), String(gone.user_id))
  assert.match(shown, /^user\d+@/)

  // This applies to administrators too, although they see the delivery addresses.
  for (const by of [iris, owner]) {
    assert.deepEqual(await subscribe([shown], by), [shown])
    assert.deepEqual(await subscribe([shown.toUpperCase()], by), [shown])
    assert.deepEqual(await subscribe([otto.user_id], by), [shown])
    await assert.rejects(subscribe([otto.email], by), nobody(otto.email))
  }
  await assert.rejects(unsubscribe([otto.email]), nobody(otto.email))
  await assert.rejects(subscribe([hiddenGone]), nobody(hiddenGone))
  await assert.rejects(
    subscribe([`user${otto.user_id}@elsewhere.example`]),
    nobody(`user${otto.user_id}@elsewhere.example`),
  )
  // Addresses of bots are not hidden.
  assert.deepEqual(await subscribe([robin.email, shown]), [robin.email, shown])
  // Callers can name themselves by their own display address.
  const irisEmail = members.find(({ user_id }) => user_id === iris.user_id)?.email ?? ''
  assert.deepEqual(await unsubscribe([irisEmail], iris), { removed: [], not_removed: ['garden'] })

  await world.database.query('update organization set email_address_visibility = 1')
  await assert.rejects(subscribe([shown]), nobody(shown))
})
