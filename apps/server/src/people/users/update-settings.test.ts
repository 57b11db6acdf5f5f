import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris] = await world.people('iris')

const refusal = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } })

const signIn = (password: string, username = iris.email) =>
  world.anonymous('b').authentication.fetchApiKey({ username, password })

test('PATCH /settings returns the name only if it changed', async () => {
  assert.deepEqual(await iris.users.updateSettings({ full_name: ' Iris Berg ' }), { full_name: 'Iris Berg' })
  assert.deepEqual(await iris.users.updateSettings({ full_name: 'Iris Berg' }), {})
  await world.settled()
  assert.equal((await iris.on('b').users.me()).full_name, 'Iris Berg')
})

test('PATCH /settings without a change is refused even if it contains the old password', async () => {
  await assert.rejects(iris.users.updateSettings(), refusal('Please fill out all fields.'))
  await assert.rejects(
    iris.users.updateSettings({ old_password: iris.password }),
    refusal('Please fill out all fields.'),
  )
})

test('PATCH /settings is refused for bots', async () => {
  const bot = await world.bot('mower', iris)

  await assert.rejects(
    bot.users.updateSettings({ full_name: 'Mower' }),
    refusal('This endpoint does not accept bot requests.'),
  )
})

test('a new password replaces the old one and does not change the API key', async () => {
  const otto = await world.person('otto')
  const new_password = '"quoted plums" 33 über'

  assert.deepEqual(await otto.users.updateSettings({ old_password: otto.password, new_password }), {})

  assert.equal((await signIn(new_password, otto.email)).api_key, otto.api_key)
  await assert.rejects(signIn(otto.password, otto.email), { status: 403 })
  await otto.users.me()
})

test('a wrong old or weak new password is refused', async () => {
  const { password: old_password } = iris
  const new_password = 'a fresh one 81 plums'
  const cases: [params: object, msg: string][] = [
    [{ new_password }, 'Wrong password!'],
    [{ old_password: '', new_password }, 'Wrong password!'],
    [{ old_password: `${old_password} `, new_password }, 'Wrong password!'],
    [{ old_password: 'wrong', new_password: 'weak' }, 'Wrong password!'],
    [{ old_password, new_password: '12345' }, 'New password is too weak!'],
    [{ old_password, new_password: 'password' }, 'New password is too weak!'],
  ]
  for (const [params, msg] of cases)
    await assert.rejects(iris.users.updateSettings(params), refusal(msg), msg)
  await signIn(old_password)
})

test('wrong old passwords count as failed sign-ins and delay password changes and sign-ins', async () => {
  const rosa = await world.person('rosa')
  const guess = (node: 'a' | 'b', old_password = 'wrong') =>
    rosa.on(node).users.updateSettings({ old_password, new_password: 'a fresh one 81 plums' })
  for (const node of ['a', 'b'] as const) await assert.rejects(guess(node), refusal('Wrong password!'))
  await assert.rejects(signIn('wrong', rosa.email), { status: 403 })
  const [counted] = await world.database.query(
    'select count(*)::int as failures from sign_in_failure where username = $1',
    [rosa.email],
  )
  assert.deepEqual(counted, { failures: 3 })
  await world.database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select $1, $2, '127.0.0.1/32', now() from generate_series(1, 8)`,
    [world.organization_id, rosa.email],
  )

  const blocked = await guess('b', rosa.password).catch((error) => error)

  assert.equal(blocked.status, 400)
  assert.equal(blocked.body.code, 'BAD_REQUEST')
  const seconds = /^You're making too many attempts! Try again in (\d+) seconds\.$/.exec(blocked.message)?.[1]
  assert.ok(Number(seconds) > 200 && Number(seconds) <= 256, blocked.message)
  await assert.rejects(signIn(rosa.password, rosa.email), { status: 429 })
  await world.database.query('truncate sign_in_failure')
})

test('a correct old password clears failed attempts even if the new one is weak', async () => {
  const mia = await world.person('mia')
  const change = (old_password: string, new_password: string) =>
    mia.users.updateSettings({ old_password, new_password })
  for (let guess = 0; guess < 3; guess++)
    await assert.rejects(change('wrong', 'irrelevant 17 plums'), refusal('Wrong password!'))

  await assert.rejects(change(mia.password, 'weak'), refusal('New password is too weak!'))

  for (let guess = 0; guess < 3; guess++)
    await assert.rejects(change('wrong', 'irrelevant 17 plums'), refusal('Wrong password!'))
})

test('a changed password is kept if a later part of the request is refused', async () => {
  const lena = await world.person('lena')
  const new_password = 'a fresh one 81 plums'

  await assert.rejects(
    lena.users.updateSettings({
      old_password: lena.password,
      new_password,
      email: 'no address',
      full_name: 'Lena Long',
    }),
    refusal('Invalid address.'),
  )

  await signIn(new_password, lena.email)
  assert.equal((await lena.users.me()).full_name, 'Lena Gardener')
})

test('of two concurrent password changes with the same old password, one is refused', async () => {
  const tina = await world.person('tina')
  const newPasswords = ['a fresh one 81 plums', 'another one 82 pears']

  const outcomes = await Promise.allSettled(
    newPasswords.map((new_password, index) =>
      tina.on(index ? 'a' : 'b').users.updateSettings({ old_password: tina.password, new_password }),
    ),
  )

  const acceptedIndex = outcomes.findIndex((outcome) => outcome.status === 'fulfilled')
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  assert.equal(refused?.reason.message, 'Wrong password!')
  await signIn(newPasswords[acceptedIndex] ?? '', tina.email)
})

test('if the password is refused, the name is not changed', async () => {
  await assert.rejects(
    iris.users.updateSettings({ old_password: 'wrong', new_password: 'x', full_name: 'Iris New' }),
    refusal('Wrong password!'),
  )
  assert.notEqual((await iris.users.me()).full_name, 'Iris New')
})

test('while name changes are disabled, changes by members are ignored and administrators can change names', async () => {
  const ada = await world.person('ada', 'administrator')
  const gus = await world.person('gus', 'guest')
  await world.database.query('update organization set name_changes_disabled = true')

  for (const person of [iris, gus])
    assert.deepEqual(await person.users.updateSettings({ full_name: 'Some One Else' }), {})
  assert.deepEqual(await iris.users.updateSettings({ full_name: 'x' }), {})
  for (const person of [ada, world.owner])
    assert.deepEqual(await person.users.updateSettings({ full_name: 'Some One Else' }), {
      full_name: 'Some One Else',
    })

  assert.notEqual((await iris.users.me()).full_name, 'Some One Else')
  await world.database.query('update organization set name_changes_disabled = false')
})

test('the log does not contain passwords', async () => {
  await request(world.nodes.a.url, {
    method: 'PATCH',
    path: '/api/v1/settings',
    credentials: iris,
    query: { old_password: 'visible in a query' },
    form: { new_password: 'visible in a form', old_password: iris.password },
  })

  assert.doesNotMatch(world.log.text, /visible in|a long password of/)
})
