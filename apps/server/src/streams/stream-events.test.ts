import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SystemGroup } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { collectEventSummaries, collectEvents } from '@oxbow/testkit/calls/events'

const world = await startWorld({ config: { email_gateway_pattern: '%s@mail.example' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
/**
 * Iris and Gwen are subscribed to each stream, Otto was subscribed before, and Cleo, Robin and Gus
 * never were.
 */
const [iris, otto, cleo] = await world.people('iris', 'otto', 'cleo')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const gwen = await world.person('gwen', 'guest')
/** A guest who is a former subscriber. */
const gil = await world.person('gil', 'guest')
const robin = await world.bot('robin', cleo)
const cast = { owner, ada, iris, otto, cleo, robin, gus, gwen, gil }

async function makeStream(name: string, options: { invite_only?: boolean } = {}) {
  const stream = await world.stream(name, { members: [owner, iris, otto, gwen, gil], ...options })
  const principals = [otto.user_id, gil.user_id]
  await owner.subscriptions.unsubscribe({ subscriptions: [name], principals })
  return stream
}

const to = (change: () => Promise<unknown>) => collectEventSummaries(world, cast, change)
const eventsForEach = (names: string, ...events: string[]) =>
  Object.fromEntries(names.split(' ').map((name) => [name, events]))

/** The people who see a public stream: all except guests who were never subscribed. */
const seesPublic = 'owner ada iris otto cleo robin gwen gil'
const seesPrivate = 'owner ada iris otto gwen gil'
const wasIn = 'owner iris otto gwen gil'

for (const [kind, sees] of [
  ['public', seesPublic],
  ['private', seesPrivate],
] as const) {
  const options = { invite_only: kind === 'private' }

  test(`renaming a ${kind} stream emits its new address to current and former subscribers, and then its new name to all who see it`, async () => {
    const { stream_id } = await makeStream(`old ${kind}`, options)
    const [row] = await world.database.query<{ email_token: string }>(
      'select email_token from stream where id = $1',
      [stream_id],
    )

    const got = await to(() => ada.streams.update({ stream_id, new_name: `New ${kind}` }))

    const address = `new-${kind}.${row?.email_token}.show-sender@mail.example`
    const received = [
      `stream update old ${kind} email_address: "${address}"`,
      `stream update old ${kind} name: "New ${kind}"`,
    ]
    const others = sees.split(' ').filter((name) => !wasIn.split(' ').includes(name))
    assert.deepEqual(got, {
      ...eventsForEach(others.join(' '), received[1] as string),
      ...eventsForEach(wasIn, ...received),
    })
  })

  test(`changed settings of a ${kind} stream are sent in the protocol's order to all users who see it`, async () => {
    const name = `set ${kind}`
    const { stream_id } = await makeStream(name, options)
    const change = {
      stream_id,
      stream_post_policy: 2,
      message_retention_days: 'forever',
      description: 'Some *words*',
    } as const

    const got = await to(() => owner.streams.update(change))

    const received = [
      `stream update ${name} message_retention_days: -1`,
      `stream update ${name} description: "Some *words*"`,
      `stream update ${name} stream_post_policy: 2`,
      `stream update ${name} is_announcement_only: true`,
      `stream update ${name} can_send_message_group: ${SystemGroup.administrators}`,
    ]
    assert.deepEqual(got, eventsForEach(sees, ...received))
  })

  test(`archiving a ${kind} stream sends a deletion with its old name to all users who saw it`, async () => {
    const name = `gone ${kind}`
    const stream = await makeStream(name, options)

    const got = await to(async () => {
      const { ada: events = [] } = await collectEvents(world, { ada }, () => owner.streams.archive(stream))
      const [event] = events
      assert.ok(event?.type === 'stream' && event.op === 'delete')
      const { stream_id, name, invite_only } = event.streams[0] ?? {}
      assert.deepEqual([stream_id, name, invite_only], [stream.stream_id, `gone ${kind}`, kind === 'private'])
    })

    assert.deepEqual(got, eventsForEach(sees, `stream delete ${name}`))
  })
}

test('each stream update event has all fields of its property', async () => {
  const { stream_id, name } = await makeStream('whole')
  const events = await collectEvents(world, { cleo }, async () => {
    await owner.streams.update({ stream_id, description: 'Some *words*' })
    await owner.streams.update({ stream_id, is_private: false })
  })

  const common = { type: 'stream', op: 'update', stream_id, name }
  assert.deepEqual(
    events.cleo?.map(({ id, ...event }) => event),
    [
      {
        ...common,
        property: 'description',
        value: 'Some *words*',
        rendered_description: '<p>Some <em>words</em></p>',
      },
      { ...common, property: 'invite_only', value: false, history_public_to_subscribers: true },
    ],
  )
})

test('making a stream private sends an update to users who still see it and a deletion to others who saw it', async () => {
  const { stream_id } = await makeStream('closing')

  const got = await to(() => owner.streams.update({ stream_id, is_private: true }))

  assert.deepEqual(got, {
    ...eventsForEach('owner ada iris otto gwen gil', 'stream update closing invite_only: true'),
    ...eventsForEach('cleo robin', 'stream delete closing'),
  })
})

test('making a stream public sends a creation to users who did not see it or its subscribers', async () => {
  const { stream_id } = await makeStream('opening', { invite_only: true })

  const got = await to(() => owner.streams.update({ stream_id, is_private: false }))

  const update = 'stream update opening invite_only: false'
  assert.deepEqual(got, {
    ...eventsForEach('owner iris gwen gil', update),
    ...eventsForEach('ada otto cleo robin', 'stream create opening', update),
  })
})

test('a stream that becomes visible is sent with subscribers to include_subscribers queues', async () => {
  const { stream_id } = await makeStream('showing', { invite_only: true })
  const open = () => owner.streams.update({ stream_id, is_private: false })

  const { cleo: events = [] } = await collectEvents(world, { cleo }, open, { include_subscribers: true })

  const [event] = events
  assert.ok(event?.type === 'stream' && event.op === 'create')
  assert.deepEqual(event.streams[0]?.subscribers, [owner.user_id, iris.user_id, gwen.user_id])
})

test('archiving a default stream emits the changed lists of default streams first', async () => {
  const plaza = await makeStream('plaza')
  await world.stream('alley')
  const group = { description: '', stream_names: ['plaza', 'alley'] }
  await owner.defaultStreams.createGroup({ group_name: 'First', ...group })
  await owner.defaultStreams.createGroup({ group_name: 'Second', ...group })
  await owner.defaultStreams.add(plaza)
  await world.database.query('update organization set notifications_stream_id = $1', [plaza.stream_id])

  const got = await to(() => owner.streams.archive(plaza))

  const lists = ['default_streams ', 'default_stream_groups First(alley), Second(alley)']
  const withoutLast = (name: string) => got[name]?.slice(0, -1)
  for (const name of ['owner', 'ada', 'iris', 'otto', 'cleo', 'robin']) {
    assert.deepEqual(withoutLast(name), [...lists, 'stream delete plaza'], name)
    // Also those who did not see the stream learn that the setting is unset; guests never see it.
    assert.match(got[name]?.at(-1) ?? '', /^realm .*"notifications_stream_id","value":-1/, name)
  }
  for (const name of ['gwen', 'gil']) assert.deepEqual(got[name], ['stream delete plaza'], name)
})

test('a refused update emits no events about earlier changes of the same request', async () => {
  const { stream_id } = await makeStream('firm', { invite_only: true })
  await makeStream('taken')
  const change = (by: Person, params: object) =>
    assert.rejects(by.streams.update({ stream_id, description: 'Soft', ...params }))

  const got = await to(async () => {
    await change(owner, { new_name: 'taken' })
    await change(ada, { new_name: 'loose', is_private: false })
    await change(ada, { message_retention_days: 1 })
    await owner.streams.update({ stream_id })
    await owner.streams.update({ stream_id, history_public_to_subscribers: true })
  })

  assert.deepEqual(got, {})
})
