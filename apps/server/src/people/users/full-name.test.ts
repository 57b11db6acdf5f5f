import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'
import { addBotByOperator } from '../../operators/bots.ts'
import { createBotCatalog } from './bots/catalog.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')

const refused = {
  long: 'Name too long!',
  short: 'Name too short!',
  characters: 'Invalid characters in name!',
  format: 'Invalid format!',
}

/** Names from requests, with the expected error or the stored name. */
const cases: [input: string, kept: string | keyof typeof refused][] = [
  ['Iris', 'Iris'],
  ['  Iris Berg\t', 'Iris Berg'],
  ['Iris|7 ', 'format'],
  ['Iris  Berg', 'Iris  Berg'],
  ['李', 'short'],
  ['李雷', '李雷'],
  ['🌹', 'short'],
  ['🌹🌷', '🌹🌷'],
  [' x ', 'short'],
  ['é'.repeat(100), 'é'.repeat(100)],
  ['é'.repeat(101), 'long'],
  ['🌹'.repeat(100), '🌹'.repeat(100)],
  ['🌹'.repeat(101), 'long'],
  [`  ${'x'.repeat(100)}  `, 'x'.repeat(100)],
  ['*'.repeat(101), 'long'],
  ['*', 'short'],
  ...[...'*`\\>"@'].map((sign) => [`Iris${sign}Berg`, 'characters'] as [string, keyof typeof refused]),
  ['Iris\nBerg', 'characters'],
  ['Iris\u2028Berg', 'characters'],
  ['Iris\u2029Berg', 'characters'],
  ['Iris\u0007', 'characters'],
  ['Iris\u200bBerg', 'characters'],
  ['Iris\u202eBerg', 'characters'],
  ['Iris\u00adBerg', 'characters'],
  ['Iris\ue000', 'characters'],
  ['Iris\u0378', 'characters'],
  ["O'Neill <& Sons #1", "O'Neill <& Sons #1"],
  ['Iris|7', 'format'],
  ['Iris|', 'Iris|'],
  ['Iris|7b', 'Iris|7b'],
  ['7|Iris', '7|Iris'],
  ['Iris*|7', 'characters'],
]

const isRefusal = (expected: string): expected is keyof typeof refused => Object.hasOwn(refused, expected)

test('every endpoint that changes full names trims and refuses them by the same rules', async () => {
  const { user_id } = iris
  const places = {
    update: (full_name: string) => world.owner.users.update({ user_id, full_name }),
    settings: (full_name: string) => iris.on('b').users.updateSettings({ full_name }),
  }
  for (const [place, give] of Object.entries(places)) {
    for (const [sentName, expected] of cases) {
      await world.database.query("update user_account set full_name = 'Before' where id = $1", [user_id])
      const what = `${place}: ${JSON.stringify(sentName)}`
      const { full_name } = isRefusal(expected)
        ? await assert
            .rejects(give(sentName), { status: 400, message: refused[expected] }, what)
            .then(() => ({ full_name: 'Before' }))
        : await give(sentName).then(() => ({ full_name: expected }))
      assert.equal((await iris.users.me()).full_name, full_name, what)
    }
  }
})

test('POST /users checks full names by these rules too', async () => {
  const password = 'quince jelly 77 jars'
  for (const [index, [full_name, expected]] of cases.entries()) {
    const email = `name${index}@garden.example`
    const made = world.owner.users.create({ email, password, full_name })
    if (isRefusal(expected)) await assert.rejects(made, { status: 400, message: refused[expected] })
    else {
      const { user } = await iris.users.get(await made)
      assert.equal(user.full_name, expected)
    }
  }
})

test('a blank or unchanged name changes nothing', async () => {
  const { user_id } = iris
  // A name that breaks the rules, from before they existed, is accepted as unchanged.
  await world.database.query("update user_account set full_name = 'x*' where id = $1", [user_id])

  for (const full_name of ['', '   ', 'x*', ' x* ']) await world.owner.users.update({ user_id, full_name })
  for (const full_name of ['  ', 'x*', ' x* '])
    assert.deepEqual(await iris.users.updateSettings({ full_name }), {})

  assert.equal((await iris.users.me()).full_name, 'x*')
})

test('only the administrator endpoint removes quotes around a name', async () => {
  const path = `/api/v1/users/${iris.user_id}`
  const update = (full_name: string) =>
    request(world.nodes.a.url, { method: 'PATCH', path, credentials: world.owner, form: { full_name } })
  const cases: [input: string, kept: string | undefined][] = [
    ['"Quoted Iris"', 'Quoted Iris'],
    ['Raw Iris', 'Raw Iris'],
    ['"\\u0049ris Escaped"', 'Iris Escaped'],
    ['" Trimmed Iris "', 'Trimmed Iris'],
    ['"', undefined],
    ['"half quoted', undefined],
    ['"two" "strings"', undefined],
    ['"\\ud800 lone"', undefined],
    ['\ufffd lone', undefined],
    ['42', '42'],
    ['true', 'true'],
  ]
  for (const [sentName, expected] of cases) {
    const before = (await iris.users.me()).full_name
    const { status } = await update(sentName)
    assert.equal(status, expected === undefined ? 400 : 200, sentName)
    assert.equal((await iris.users.me()).full_name, expected ?? before)
  }
  await assert.rejects(iris.users.updateSettings({ full_name: '"Iris"' }), { message: refused.characters })
})

test('every endpoint refuses to give a bot the name of another account', async () => {
  const bot = await world.bot('mower', iris)
  const other = await world.bot('weeder', iris)
  const asleep = await world.bot('sleeper', iris)
  await world.person('otto')
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  await world.owner.bots.deactivate({ bot_id: asleep.user_id })
  const { user_id } = bot
  const inUse = { errorName: 'NAME_IN_USE', message: 'Name is already in use!' }
  const taking: Record<string, (full_name: string) => Promise<unknown>> = {
    'PATCH /users': (full_name) => world.owner.users.update({ user_id, full_name }),
    'PATCH /bots': (full_name) => iris.bots.update({ bot_id: user_id, full_name }),
    'POST /bots': (full_name) => iris.bots.create({ full_name, short_name: 'new' }),
    'oxbow bot create': (name) =>
      addBotByOperator(world.nodes.a.app, createBotCatalog([]), {
        subdomain: '',
        origin: 'http://localhost',
        name,
        short_name: 'newer',
        type: 'generic',
        owner: iris.email,
      }),
  }
  const fullWidth = (name: string) =>
    name.replace(/[a-z]/gi, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
  const plain = ['Otto Gardener', 'GONE gardener', 'weeder bot', 'sleeper bot', 'Notification Bot']
  const takenNames = [...plain, ...plain.map(fullWidth), 'Otto\u2003Gardener', 'w\u1d49eder bot']

  for (const [how, take] of Object.entries(taking))
    for (const name of takenNames) await assert.rejects(take(name), inUse, `${name} by ${how}`)
  await world.owner.users.update({ user_id: other.user_id, full_name: 'Weeding machine' })
  await taking['PATCH /users']?.('Weeder bot')

  assert.equal((await bot.users.me()).full_name, 'Weeder bot')
})

test('of two concurrent requests that give bots the same name, one is refused', async () => {
  const [left, right] = [await world.bot('left', iris), await world.bot('right', iris)]
  for (let round = 0; round < 20; round++) {
    const full_name = `Shared ${round}`

    const outcomes = await Promise.allSettled([
      world.owner.on('a').users.update({ user_id: left.user_id, full_name }),
      world.owner.on('b').users.update({ user_id: right.user_id, full_name }),
    ])

    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
  }
})

test('a person can have the name of a bot or another person', async () => {
  const { user_id } = iris
  for (const full_name of ['Olive Owner', 'Weeding machine']) {
    await world.owner.users.update({ user_id, full_name })
    assert.equal((await iris.users.me()).full_name, full_name)
  }
})
