import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { makeEmbeddedBot } from '../test/make-embedded-bot.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const robin = await makeBot(world, iris, 'robin')

const all = async ({ botStorage }: Person) => (await botStorage.read()).storage
const noKey = refusal('Key does not exist.')

test('stored texts can be read by key or all together on any node', async () => {
  assert.deepEqual(await all(robin), {})
  await robin.botStorage.write({ storage: { rose: 'red', 'ключ 🗝': 'wert "x"', empty: '', '': 'nameless' } })
  await robin.on('b').botStorage.write({ storage: { rose: 'white', tulip: 'yellow' } })

  const storage = { rose: 'white', 'ключ 🗝': 'wert "x"', empty: '', '': 'nameless', tulip: 'yellow' }
  assert.deepEqual(await all(robin), storage)
  assert.deepEqual(await robin.botStorage.read({ keys: [] }), { storage })
  const found = await robin.on('b').botStorage.read({ keys: ['tulip', 'rose', 'rose'] })
  assert.deepEqual(found, { storage: { rose: 'white', tulip: 'yellow' } })
  await robin.botStorage.write({ storage: {} })
  assert.deepEqual(await all(robin), storage)
})

test('an unknown storage key is refused and nothing is deleted', async () => {
  await assert.rejects(robin.botStorage.read({ keys: ['rose', 'weed'] }), noKey)
  await assert.rejects(robin.botStorage.remove({ keys: ['rose', 'weed'] }), noKey)
  assert.equal((await all(robin)).rose, 'white')

  assert.deepEqual(await robin.botStorage.remove({ keys: ['rose', 'rose', ''] }), {})
  assert.deepEqual(Object.keys(await all(robin)).sort(), ['empty', 'tulip', 'ключ 🗝'])
  await robin.botStorage.remove()
  assert.deepEqual(await all(robin), {})
  assert.deepEqual(await robin.botStorage.remove({ keys: [] }), {})
})

test('every account, including people and guests, has a separate storage', async () => {
  const gus = await world.person('gus', 'guest')
  for (const person of [owner, iris, gus, robin])
    await person.botStorage.write({ storage: { who: String(person.user_id) } })

  for (const person of [owner, iris, gus, robin])
    assert.deepEqual(await all(person), { who: String(person.user_id) })
})

test('keys such as __proto__ are stored like others, in storage and configurations', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
  // Built from entries, because `__proto__` in an object literal would set the prototype.
  const storage = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
  const heir = await world.person('heir')
  const helper = await makeEmbeddedBot(world, iris, 'inheritor', {})

  await heir.botStorage.write({ storage })
  const response = await iris.bots.update({ bot_id: helper.user_id, config_data: storage })

  assert.deepEqual(Object.entries(await all(heir)).sort(), Object.entries(storage).sort())
  for (const name of names) {
    const read = (await heir.botStorage.read({ keys: [name] })).storage
    assert.deepEqual(Object.entries(read), [[name, `value of ${name}`]])
  }
  assert.deepEqual(Object.entries(response.config_data ?? {}), Object.entries(storage))
  const { realm_bots = [] } = await iris.events.register({ fetch_event_types: ['realm_bot'] })
  const shown = realm_bots.find(({ user_id }) => user_id === helper.user_id)?.services[0]
  assert.ok(shown && 'config_data' in shown)
  assert.deepEqual(Object.entries(shown.config_data).sort(), Object.entries(storage).sort())
  await heir.botStorage.remove({ keys: names })
  assert.deepEqual(await all(heir), {})
})

test('storage keys can have any length', async () => {
  const storage = { ['x'.repeat(5_000)]: 'long', [`${'x'.repeat(4_999)}y`]: 'other' }
  await owner.botStorage.write({ storage })

  assert.deepEqual(await owner.botStorage.read({ keys: Object.keys(storage).slice(0, 1) }), {
    storage: { ['x'.repeat(5_000)]: 'long' },
  })
  await owner.botStorage.remove({ keys: Object.keys(storage) })
})

test('storage is limited to a million characters of keys and values together', async () => {
  const mia = await world.person('mia')
  const part = '🌱'.repeat(9_999)
  const write = (storage: Record<string, string>) => mia.botStorage.write({ storage })
  // The second entry is inserted directly, in place of many small writes.
  await write({ a: part })
  await world.database.query(
    `insert into bot_storage (organization_id, user_id, key_digest, key, value)
     select organization_id, user_id, sha256('b'), 'b', repeat('x', 1000000 - 10000 - 1 - 10)
     from bot_storage where user_id = $1`,
    [mia.user_id],
  )

  const excess = (count: number) =>
    refusal(`Request exceeds storage limit by ${count} characters. The limit is 1000000 characters.`)
  await assert.rejects(write({ c: '1234567890' }), excess(1))
  await assert.rejects(write({ ключ: '🌱🌱🌱🌱🌱🌱🌱🌱' }), excess(2))
  await assert.rejects(write({ a: `${part}12345678901` }), excess(1))
  await write({ a: `${part}1234567890` })
  await assert.rejects(write({ c: '' }), excess(1))
  await write({ a: 'short', c: 'fits now' })
  assert.equal((await all(mia)).b?.length, 989_989)
})

test('of two concurrent writes that together exceed the limit, one is refused', async () => {
  const mia = await world.person('mara')
  await mia.botStorage.write({ storage: { a: '' } })
  await world.database.query(
    `insert into bot_storage (organization_id, user_id, key_digest, key, value)
     select organization_id, user_id, sha256('b'), 'b', repeat('x', 1000000 - 100) from bot_storage where user_id = $1`,
    [mia.user_id],
  )

  const results = await Promise.allSettled(
    ['c', 'd'].map((key, index) =>
      mia.on(index ? 'a' : 'b').botStorage.write({ storage: { [key]: 'x'.repeat(70) } }),
    ),
  )

  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

const malformed: [method: string, params: Record<string, string>, msg: string][] = [
  ['PUT', {}, "Missing 'storage' argument"],
  ['PUT', { storage: 'x' }, 'Argument "storage" is not valid JSON.'],
  ['PUT', { storage: '[]' }, 'storage is not a dict'],
  ['PUT', { storage: '{"a":1}' }, 'storage contains a value that is not a string'],
  ['PUT', { storage: '{"a":"\\u0000"}' }, 'Argument "storage" contains a NUL character.'],
  ['GET', { keys: '"a"' }, 'keys is not a list'],
  ['GET', { keys: '[1]' }, 'keys[0] is not a string'],
  ['DELETE', { keys: '{}' }, 'keys is not a list'],
]
for (const [method, params, msg] of malformed) {
  test(`/bot_storage refuses ${method} with ${JSON.stringify(params)}`, async () => {
    const { status, body } = await call(world, iris, `${method} /bot_storage`, params)
    assert.deepEqual([status, body.msg], [400, msg])
  })
}
