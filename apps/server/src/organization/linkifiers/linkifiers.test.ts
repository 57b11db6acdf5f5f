import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { eventually, expectSameState, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { awaitWithinASecond, repeatIfLate } from '@oxbow/testkit/calls/listening'
import { readMessage, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { sql } from 'kysely'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, gus, robin }
const garden = await world.stream('garden', { members: [owner, iris, gus] })

const bed = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://beds.example/%(id)s' }
const plant = { pattern: 'plant-(?P<name>[a-z]+)', url_format_string: 'https://plants.example/%(name)s' }

async function readLinks(reader: Person, id: MessageId) {
  const { content, topic_links } = await readMessage(reader.on('b'), id)
  return { content, topic_links }
}
const messageIn = (events: Event[]) => {
  const [event] = events
  assert.ok(event?.type === 'message')
  return event.message
}

test('added and removed linkifiers are sent to everyone', async () => {
  let ids: number[] = []
  const events = await expectSameState(world, everyone, async () => {
    const first = await ada.linkifiers.add({ ...bed, pattern: ` ${bed.pattern} ` })
    const second = await owner.on('b').linkifiers.add(plant)
    const third = await owner.linkifiers.add({ ...bed, pattern: 'bed(?P<id>[0-9]+)' })
    await owner.linkifiers.remove({ filter_id: third.id })
    ids = [first.id, second.id]
  })

  const filters = [
    [bed.pattern, bed.url_format_string, ids[0]],
    [plant.pattern, plant.url_format_string, ids[1]],
  ]
  for (const person of Object.values(everyone)) {
    assert.deepEqual(await person.linkifiers.list(), { filters })
    const { realm_filters } = await person.events.register({ fetch_event_types: ['realm_filters'] })
    assert.deepEqual(realm_filters, filters)
  }
  const received = events.gus?.map(({ id, ...event }) => event)
  assert.equal(received?.length, 4)
  assert.deepEqual(received?.at(-1), { type: 'realm_filters', realm_filters: filters })
})

test('linkifiers apply to texts and topics in messages, events and previews', async () => {
  await world.settled()
  const queue = await openQueue(gus, { event_types: ['message'], apply_markdown: true })
  const id = await sendToStream(iris, garden, 'plant-rose in #12', 'See #7 and plant-iris, not x#7 or `#7`.')

  const content =
    '<p>See <a href="https://beds.example/7">#7</a> and <a href="https://plants.example/iris">plant-iris</a>, not x#7 or <code>#7</code>.</p>'
  const topic_links = ['https://beds.example/12', 'https://plants.example/rose']
  assert.deepEqual(await readLinks(gus, id), { content, topic_links })
  await world.settled()
  const received = messageIn(await queue.rest('b'))
  assert.deepEqual({ content: received.content, topic_links: received.topic_links }, { content, topic_links })
  const { rendered } = await iris.on('b').messages.render({ content: '#7' })
  assert.equal(rendered, '<p><a href="https://beds.example/7">#7</a></p>')
})

test('linkifiers apply to long texts, which are rendered in a worker thread', async () => {
  const id = await sendToStream(iris, garden, 'long', `${'Pruned. '.repeat(400)}#7`)
  const { content } = await readLinks(iris, id)
  assert.ok(content?.endsWith('<a href="https://beds.example/7">#7</a></p>'))
})

test('an edit event contains the links of the new topic', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  await world.settled()
  const queue = await openQueue(owner, { event_types: ['update_message'] })
  await iris.on('b').messages.edit({ message_id: id, topic: 'roses #3', content: 'In #4.' })

  await world.settled()
  const [event] = await queue.rest('b')
  assert.ok(event?.type === 'update_message')
  assert.deepEqual(event.topic_links, ['https://beds.example/3'])
  assert.equal(event.rendered_content, '<p>In <a href="https://beds.example/4">#4</a>.</p>')
})

test('a new linkifier applies on all nodes within a second, but not to the texts of old messages', async () => {
  const before = await sendToStream(iris, garden, 'tool-9', 'tool-9 #7')
  const link = '<p><a href="https://tools.example/9">tool-9</a></p>'
  const id = await repeatIfLate(async () => {
    const { id } = await owner.linkifiers.add({
      pattern: 'tool-(?P<id>[0-9]+)',
      url_format_string: 'https://tools.example/%(id)s',
    })
    assert.equal((await iris.messages.render({ content: 'tool-9' })).rendered, link)
    const renderOnB = async () => (await iris.on('b').messages.render({ content: 'tool-9' })).rendered
    try {
      await awaitWithinASecond(world, [eventually(async () => (await renderOnB()) === link)])
      return id
    } catch (error) {
      await owner.linkifiers.remove({ filter_id: id })
      await eventually(async () => (await renderOnB()) !== link)
      throw error
    }
  })
  assert.deepEqual(await readLinks(gus, before), {
    content: '<p>tool-9 <a href="https://beds.example/7">#7</a></p>',
    topic_links: ['https://tools.example/9'],
  })

  await owner.linkifiers.remove({ filter_id: id })
  assert.equal((await iris.messages.render({ content: 'tool-9' })).rendered, '<p>tool-9</p>')
  await eventually(async () => (await readLinks(gus, before)).topic_links?.length === 0)
})

const patternRefusal = 'Invalid filter pattern.  Valid characters are [ a-zA-Z_#=/:+!-].'
const blank = 'This field cannot be blank.'
const badUrl = 'Enter a valid URL.'
const badFormat = 'Invalid URL format string.'
const refusals: [why: string, params: Partial<typeof bed>, errors: Record<string, string[]>][] = [
  ['no pattern', { pattern: ' ' }, { pattern: [blank] }],
  [
    'no pattern and no URL',
    { pattern: '', url_format_string: '' },
    { pattern: [blank], url_format_string: [blank] },
  ],
  ['no group', { pattern: '#[0-9]+' }, { pattern: [patternRefusal] }],
  ['looks ahead', { pattern: '#(?P<id>(?=a)b)' }, { pattern: [patternRefusal] }],
  ['another scheme', { url_format_string: 'javascript:%(id)s' }, { url_format_string: [badUrl, badFormat] }],
  ['another group', { url_format_string: 'https://x.example/%(no)s' }, { url_format_string: [badFormat] }],
  ['no group in the URL', { url_format_string: 'https://x.example/' }, { url_format_string: [badFormat] }],
  [
    'the pattern exists already',
    {},
    { __all__: ['Realm filter with this Realm and Pattern already exists.'] },
  ],
]
for (const [why, params, errors] of refusals) {
  test(`an invalid linkifier is refused: ${why}`, async () => {
    const response = await call(world, owner, 'POST /realm/filters', { ...bed, ...params })
    assert.deepEqual(response, refusal(Object.values(errors)[0]?.[0] ?? '', { errors }))
  })
}

test('removing a missing linkifier is refused', async () => {
  await assert.rejects(owner.linkifiers.remove({ filter_id: 987_654 as never }), refusal('Filter not found'))
})

test('rendering a text with cached linkifiers makes no query', async () => {
  // A record of an earlier change would empty the cache when it arrives.
  await world.settled()
  await iris.messages.render({ content: '#7' })
  const { db } = world.nodes.a.app
  await sql`alter table linkifier rename to hidden_linkifier`.execute(db)
  // A node that briefly lost its connection has to query PostgreSQL, so the first attempts may
  // fail.
  const sent = await eventually(() => sendToStream(iris, garden, 'birds', '#8').catch(() => undefined))
  await sql`alter table hidden_linkifier rename to linkifier`.execute(db)
  assert.equal((await readLinks(iris, sent)).content, '<p><a href="https://beds.example/8">#8</a></p>')
})

test('long patterns and URLs of linkifiers are refused', async () => {
  const pattern = `${'x'.repeat(1_000)}(?P<id>[0-9]+)`
  await assert.rejects(
    owner.linkifiers.add({ ...bed, pattern }),
    refusal('pattern is too long (limit: 1000 characters)'),
  )
  const url_format_string = `https://beds.example/${'x'.repeat(2_000)}/%(id)s`
  await assert.rejects(
    owner.linkifiers.add({ ...bed, url_format_string }),
    refusal('url_format_string is too long (limit: 2000 characters)'),
  )
})

test('linkifiers beyond the maximum number are refused', async () => {
  await world.database.query(
    `insert into linkifier (organization_id, pattern, url_format)
     select $1, 'n' || n || '-(?P<id>[0-9]+)', 'https://x.example/%(id)s' from generate_series(1, 498) n`,
    [world.organization_id],
  )
  await assert.rejects(
    owner.linkifiers.add({ ...bed, pattern: 'one-more-(?P<id>[0-9]+)' }),
    refusal('Too many linkifiers (limit: 500)'),
  )
  assert.equal(
    (await iris.messages.render({ content: 'n498-1' })).rendered,
    '<p><a href="https://x.example/1">n498-1</a></p>',
  )
})
