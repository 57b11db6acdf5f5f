import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')

const find = async (name: string) => {
  const { streams } = await owner.on('b').streams.list({ include_all_active: true })
  return streams.find((stream) => stream.name === name)
}
const membersOf = async (name: string) => {
  const stream = await find(name)
  assert.ok(stream, name)
  return (await owner.streams.members({ stream_id: stream.stream_id })).subscribers
}
const names = (...streamNames: string[]) => streamNames.map((name) => ({ name }))

test('missing streams are created and existing ones joined, and the response lists both', async () => {
  await world.stream('Garden', { members: [iris] })
  await world.stream('Pond', { members: [otto] })

  const response = await iris.subscriptions.subscribe({ subscriptions: names('garden', ' POND', 'Meadow') })

  assert.deepEqual(response, {
    subscribed: { [iris.email]: ['Pond', 'Meadow'] },
    already_subscribed: { [iris.email]: ['Garden'] },
  })
  assert.deepEqual(await membersOf('Pond'), [iris.user_id, otto.user_id])
  assert.deepEqual(await membersOf('Meadow'), [iris.user_id])
})

test('a new stream has the requested settings', async () => {
  await owner.subscriptions.subscribe({
    subscriptions: [{ name: 'cave', description: 'Dark\nand *deep*' }, { name: 'tunnel' }],
    invite_only: true,
    history_public_to_subscribers: true,
    stream_post_policy: 2,
    message_retention_days: 12,
  })

  const common = {
    invite_only: true,
    is_web_public: false,
    stream_post_policy: 2,
    is_announcement_only: true,
    folder_id: null,
    history_public_to_subscribers: true,
    first_message_id: null,
    message_retention_days: 12,
  }
  const [cave, tunnel] = [await find('cave'), await find('tunnel')]
  assert.deepEqual(cave, {
    ...common,
    stream_id: cave?.stream_id,
    name: 'cave',
    description: 'Dark and *deep*',
    rendered_description: '<p>Dark and <em>deep</em></p>',
  })
  assert.deepEqual(tunnel, {
    ...common,
    stream_id: tunnel?.stream_id,
    name: 'tunnel',
    description: '',
    rendered_description: '',
  })
})

test('a description whose HTML would be long is shown as it was written', async () => {
  const formulas = '$$\\frac{a}{b}$$ & '.repeat(30)
  const short = '$$x$$ is **x**'
  await world.stream('short formula', { description: short })
  await iris.subscriptions.subscribe({
    subscriptions: [
      { name: 'formulas', description: formulas },
      { name: 'formulas too', description: formulas },
      { name: 'short formula', description: formulas },
    ],
  })

  const escaped = `<p>${formulas.replaceAll('&', '&#38;')}</p>`
  assert.equal((await find('formulas'))?.rendered_description, escaped)
  assert.equal((await find('formulas too'))?.rendered_description, escaped)
  const rendered = (await find('short formula'))?.rendered_description ?? ''
  assert.match(rendered, /^<p><span class="katex">.* is <strong>x<\/strong><\/p>$/)
  const { stream_id } = await owner.streams.getId({ stream: 'short formula' })
  await owner.streams.update({ stream_id, description: formulas })
  assert.equal((await find('short formula'))?.rendered_description, escaped)
})

test('a request creates at most a hundred streams, and may name existing ones besides', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `plot ${index}`)
  await assert.rejects(
    iris.subscriptions.subscribe({ subscriptions: names(...many) }),
    refusal('A request can create at most 100 streams. Create the others with further requests.'),
  )
  assert.equal(await find('plot 0'), undefined)

  await iris.subscriptions.subscribe({ subscriptions: names(...many.slice(1)) })
  const { subscribed } = await otto.subscriptions.subscribe({ subscriptions: names(...many) })
  assert.deepEqual(subscribed, { [otto.email]: [...many.slice(1), 'plot 0'] })
})

test('settings for new streams do not change an existing stream', async () => {
  await world.stream('lawn', { description: 'Green' })
  const before = await find('lawn')

  await iris.subscriptions.subscribe({
    subscriptions: [{ name: 'lawn', description: 'Brown' }],
    invite_only: true,
    history_public_to_subscribers: false,
    stream_post_policy: 3,
    message_retention_days: 'forever',
  })

  assert.deepEqual(await find('lawn'), before)
})

test('message_retention_days of a new stream is a number of days, forever or realm_default', async () => {
  const cases: [input: string, kept: number | null][] = [
    ['"realm_default"', null],
    ['"forever"', -1],
    ['1', 1],
    ['3650', 3650],
  ]
  for (const [input, stored] of cases) {
    const name = `kept ${input}`
    const subscriptions = JSON.stringify(names(name))
    const response = await call(world, owner, 'POST /users/me/subscriptions', {
      subscriptions,
      message_retention_days: input,
    })
    assert.equal(response.status, 200)
    assert.equal((await find(name))?.message_retention_days, stored)
  }
})

test('is_announcement_only is ignored when subscribing', async () => {
  const subscriptions = JSON.stringify(names('news'))

  await call(world, iris, 'POST /users/me/subscriptions', { subscriptions, is_announcement_only: 'true' })

  assert.equal((await find('news'))?.is_announcement_only, false)
})

test('subscribing others does not subscribe the caller unless the caller is named', async () => {
  const without = await iris.subscriptions.subscribe({
    subscriptions: names('for otto'),
    principals: [otto.user_id],
  })
  const response = await iris.subscriptions.subscribe({
    subscriptions: names('for both'),
    principals: [otto.user_id, iris.user_id, otto.user_id],
  })

  assert.deepEqual(without, { subscribed: { [otto.email]: ['for otto'] }, already_subscribed: {} })
  assert.deepEqual(await membersOf('for otto'), [otto.user_id])
  assert.deepEqual(response.subscribed, { [otto.email]: ['for both'], [iris.email]: ['for both'] })
})

test('guests and bots can be subscribed like members', async () => {
  const gus = await world.person('gus', 'guest')
  const robin = await world.bot('robin', iris)

  const { subscribed } = await iris.subscriptions.subscribe({
    subscriptions: names('visitors'),
    principals: [gus.user_id, robin.user_id],
  })
  await robin.subscriptions.subscribe({ subscriptions: names('robots'), principals: [gus.user_id] })

  assert.deepEqual(subscribed, { [gus.email]: ['visitors'], [robin.email]: ['visitors'] })
  assert.deepEqual(await membersOf('robots'), [gus.user_id])
})

test('the response lists only new subscriptions per user', async () => {
  const fern = await world.person('fern')
  await world.stream('north', { members: [fern, otto] })
  await world.stream('south', { members: [otto] })

  const response = await iris.subscriptions.subscribe({
    subscriptions: names('south', 'north'),
    principals: [fern.user_id, otto.user_id],
  })

  assert.deepEqual(response, {
    subscribed: { [fern.email]: ['south'] },
    already_subscribed: { [fern.email]: ['north'], [otto.email]: ['south', 'north'] },
  })
})

test('inaccessible streams cause an error, or are listed as unauthorized if authorization_errors_fatal is false', async () => {
  await world.stream('Secret', { members: [otto], invite_only: true })
  await world.stream('Hidden', { members: [otto], invite_only: true })
  await world.stream('open air', { members: [otto] })
  const subscriptions = names('open air', 'hidden', 'secret', 'never made')
  const subscribe = (person: Person, params: object = {}) =>
    person.subscriptions.subscribe({ subscriptions, ...params })

  for (const person of [iris, owner])
    await assert.rejects(subscribe(person), refusal('Unable to access stream (hidden).'))
  assert.equal(await find('never made'), undefined)
  assert.deepEqual(await membersOf('open air'), [otto.user_id])

  assert.deepEqual(await subscribe(iris, { authorization_errors_fatal: false }), {
    subscribed: { [iris.email]: ['open air', 'never made'] },
    already_subscribed: {},
    unauthorized: ['hidden', 'secret'],
  })
  assert.deepEqual(await subscribe(otto, { authorization_errors_fatal: false }), {
    subscribed: { [otto.email]: ['never made'] },
    already_subscribed: { [otto.email]: ['open air', 'Hidden', 'Secret'] },
    unauthorized: [],
  })
  assert.deepEqual(await membersOf('Secret'), [otto.user_id])
})

test('subscribers of a private stream may subscribe others, and former subscribers cannot rejoin by themselves', async () => {
  await world.stream('club', { members: [otto], invite_only: true })
  const club = names('club')

  await otto.subscriptions.subscribe({ subscriptions: club, principals: [iris.user_id] })
  assert.deepEqual(await membersOf('club'), [iris.user_id, otto.user_id])
  await iris.subscriptions.unsubscribe({ subscriptions: ['club'] })

  await assert.rejects(
    iris.subscriptions.subscribe({ subscriptions: club }),
    refusal('Unable to access stream (club).'),
  )
})

test('a user who subscribes again gets the earlier personal settings back', async () => {
  const { stream_id } = await world.stream('workshop', { members: [iris, otto] })
  const data = [
    ['color', '#ABC'],
    ['is_muted', true],
    ['pin_to_top', true],
    ['push_notifications', false],
    ['wildcard_mentions_notify', true],
  ] as const
  await iris.subscriptions.setProperties({
    subscription_data: data.map(([property, value]) => ({ stream_id, property, value })),
  })
  const own = async () =>
    (await iris.subscriptions.list()).subscriptions.find(
      (subscription) => subscription.stream_id === stream_id,
    )
  const before = await own()

  await iris.subscriptions.unsubscribe({ subscriptions: ['workshop'] })
  assert.equal(await own(), undefined)
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'workshop', color: '#123456' }] })

  assert.equal(before?.color, '#ABC')
  assert.deepEqual(await own(), before)
})

test('a request without streams succeeds and changes nothing', async () => {
  assert.deepEqual(await iris.subscriptions.subscribe({ subscriptions: [] }), {
    subscribed: {},
    already_subscribed: {},
  })
})
