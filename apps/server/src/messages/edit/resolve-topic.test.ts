import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually, type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { readMessages, sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { checkExplanation, outcomeOf } from '@oxbow/testkit/calls/permissions'

const world = await startWorld({ notices: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const bot = await world.bot('robot', iris)

let count = 0
const newStream = (members: Person[], options = {}) =>
  world.stream(`stream ${++count}`, { members, ...options })
const rename = (person: Person, message_id: MessageId, topic: string) =>
  person.messages.edit({ message_id, topic, propagate_mode: 'change_all' })
const topicsOf = async (person: Person, stream: MadeStream) =>
  (await person.streams.topics({ stream_id: stream.stream_id })).topics.flatMap(({ name }) =>
    name === 'stream events' ? [] : [name],
  )
const noticesIn = async (stream: MadeStream) =>
  (await readMessages(otto, { stream: stream.name })).filter(({ content }) =>
    content.includes('has marked this topic'),
  )

test('resolving a topic marks its name for everyone and leaves a notice, and opening it again undoes that', async () => {
  const stream = await newStream([iris, otto])
  const first = await sendToStream(iris, stream, 'Roses')
  await sendToStream(otto, stream, 'roses')
  const other = await sendToStream(otto, stream, 'roses and more')

  await rename(otto, first, '✔ Roses')
  const [resolved] = await eventually(async () => {
    const found = await noticesIn(stream)
    return found.length === 1 && found
  })
  assert.equal(resolved?.subject, '✔ Roses')
  assert.equal(resolved?.content, `@_**Otto Gardener|${otto.user_id}** has marked this topic as resolved.`)
  assert.deepEqual(resolved?.flags, ['read'])
  assert.deepEqual(await topicsOf(iris, stream), ['✔ Roses', 'roses and more'])

  await rename(iris, first, 'Roses')
  await eventually(async () => (await noticesIn(stream)).length === 2)
  assert.deepEqual(new Set(await topicsOf(iris, stream)), new Set(['Roses', 'roses and more']))
  assert.ok(other > first)
})

test('is:resolved matches the messages of resolved topics, also those sent before the reader joined', async () => {
  const stream = await newStream([iris])
  const resolved = await sendToStream(iris, stream, 'roses')
  const open = await sendToStream(iris, stream, 'tulips')
  await rename(iris, resolved, '✔ roses')
  const read = async (person: Person, negated: boolean) => {
    const narrow = [
      { operator: 'stream', operand: stream.stream_id },
      { operator: 'is', operand: 'resolved', negated },
    ]
    const page = await person.messages.list({ anchor: 'newest', num_before: 20, num_after: 0, narrow })
    return page.messages.filter(({ sender_id }) => sender_id === iris.user_id).map(({ id }) => id)
  }
  for (const person of [iris, otto]) {
    assert.deepEqual(await read(person, false), [resolved])
    assert.deepEqual(await read(person, true), [open])
  }
})

test('every member may resolve an old topic of others, whether or not the organization allows editing', async () => {
  const stream = await newStream([iris, otto])
  const id = await sendToStream(iris, stream, 'roses')
  await setMessageAge(world, id, 30 * 86_400)
  assert.equal(await outcomeOf(rename(otto, id, 'tulips')), 'EDIT_TIME_OVER')
  await setOrganizationRules(world, 'allow_message_editing = false, allow_community_topic_editing = false')
  assert.equal(await outcomeOf(rename(otto, id, '✔ tulips')), 'EDITING_DISABLED')
  assert.equal(await outcomeOf(rename(otto, id, '✔ roses')), 'ok')
  assert.equal(await outcomeOf(rename(otto, id, 'roses')), 'ok')
  await setOrganizationRules(world, 'allow_message_editing = true, allow_community_topic_editing = true')
})

test('the setting decides who may resolve, and its explanation agrees', async () => {
  const stream = await newStream([iris, otto, ada, gus])
  for (const policy of [1, 2, 3]) {
    await setOrganizationRules(world, `resolve_topics_policy = ${policy}, waiting_period_threshold = 100`)
    for (const person of [iris, ada, gus]) {
      const message_id = await sendToStream(person, stream, `beds ${++count}`)
      await checkExplanation(
        world,
        person,
        { action: 'resolve_topic', message_id },
        () => outcomeOf(rename(person, message_id, `✔ beds ${count}`)),
        `policy ${policy}`,
      )
    }
  }
  const id = await sendToStream(iris, stream, 'dodge')
  assert.equal(await outcomeOf(rename(iris, id, '✔ dodge a little')), 'CANNOT_RESOLVE_TOPIC')
  assert.equal(
    await outcomeOf(iris.messages.edit({ message_id: id, topic: '✔ Dodge' })),
    'CANNOT_RESOLVE_TOPIC',
  )
  await rename(ada, id, '✔ dodge')
  assert.equal(await outcomeOf(rename(iris, id, 'dodge')), 'CANNOT_RESOLVE_TOPIC')
  // A single message may be sorted into another topic, resolved or not.
  assert.equal(await outcomeOf(iris.messages.edit({ message_id: id, topic: 'weeds' })), 'ok')
  await setOrganizationRules(world, 'resolve_topics_policy = 1, waiting_period_threshold = 0')
})

test('a topic of the greatest length keeps its whole name when it is resolved and opened again', async () => {
  const stream = await newStream([iris, otto])
  const long = '🌹'.repeat(60)
  const id = await sendToStream(iris, stream, long)
  await rename(otto, id, `✔ ${long}`)
  await sendToStream(otto, stream, `✔ ${long}`)
  assert.deepEqual(await topicsOf(iris, stream), [`✔ ${long}`])
  await rename(otto, id, long)
  assert.deepEqual(await topicsOf(iris, stream), [long])
  assert.equal(await outcomeOf(sendToStream(iris, stream, `✔ ${long}🌹`)), 'TOPIC_TOO_LONG')
  const cut = await sendToStream(bot, stream, `✔ ${long}🌹`)
  const [message] = (await readMessages(iris, { stream: stream.name })).filter((each) => each.id === cut)
  assert.equal(message?.subject, `✔ ${'🌹'.repeat(57)}...`)
})

test('two people who resolve a topic at once resolve it once', async () => {
  const stream = await newStream([iris, otto])
  const id = await sendToStream(iris, stream, 'roses')
  await Promise.all([rename(iris, id, '✔ roses'), rename(otto, id, '✔ roses')])
  assert.deepEqual(await topicsOf(iris, stream), ['✔ roses'])
  await rename(nora, id, 'roses').catch(() => {})
  await eventually(async () => (await noticesIn(stream)).length === 2)
  const subjects = (await noticesIn(stream)).map(({ content }) => content.includes('unresolved'))
  assert.deepEqual(subjects, [false, true])
})
