import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { eventually, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { sql } from 'kysely'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const robin = await world.bot('robin', iris)
const garden = await world.stream('garden', { members: [owner, iris, otto, robin] })
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')

const registration = { event_types: ['message', 'update_message'] }

const words: [Person, string[]][] = [
  [iris, ['Roses', 'late frost']],
  [otto, ['roses', 'c++']],
  [fern, ['roses']],
  [robin, ['worms']],
]
for (const [person, alert_words] of words) await person.alertWords.add({ alert_words })
await world.settled()

async function isAlerted(person: Person, id: MessageId): Promise<boolean> {
  const around = { anchor: String(id), num_before: 0, num_after: 0 }
  const { messages } = await person.on('b').messages.list(around)
  const narrow = [{ operator: 'is', operand: 'alerted' }]
  const { messages: alerted } = await person.on('b').messages.list({ ...around, narrow })
  const has = messages[0]?.flags.includes('has_alert_word') ?? false
  assert.equal(alerted.length > 0, has)
  return has
}
const alertedBy = async (id: MessageId) => [await isAlerted(iris, id), await isAlerted(otto, id)]
const rowsOf = async (id: MessageId) =>
  (
    await world.database.query<{ user_id: number }>(
      'select user_id::int from user_message where message_id = $1 order by user_id',
      [id],
    )
  ).map(({ user_id }) => user_id)

test('a message alerts its recipients whose words it contains, and only they get rows', async () => {
  const [queueOfIris, queueOfOtto] = [
    await openQueue(iris, registration),
    await openQueue(otto, registration),
  ]

  const withBothWords = await sendToStream(owner, garden, 'beds', 'The ROSES, and the rest.')
  const withOneWord = await sendToStream(owner, garden, 'beds', 'A late frost is no reason for C++?')
  const none = await sendToStream(owner, garden, 'beds', 'Primroses and frosty nights.')

  assert.deepEqual(await alertedBy(withBothWords), [true, true])
  assert.deepEqual(await alertedBy(withOneWord), [true, true])
  assert.deepEqual(await alertedBy(none), [false, false])
  // Fern has the word but is not subscribed.
  assert.deepEqual(await rowsOf(withBothWords), [iris.user_id, otto.user_id])
  assert.deepEqual(await rowsOf(none), [])
  for (const queue of [queueOfIris, queueOfOtto]) {
    const flags = (await queue.take(3)).map((event) => event.type === 'message' && event.flags)
    assert.deepEqual(flags, [['has_alert_word'], ['has_alert_word'], []])
  }
})

test('private messages with an alert word alert people and bots', async () => {
  const id = await sendPrivately(owner, [iris, fern], '`roses`')
  assert.deepEqual([await isAlerted(iris, id), await isAlerted(fern, id)], [true, true])
  assert.equal(await isAlerted(robin, await sendToStream(iris, garden, 'beds', 'worms')), true)
})

test('an edit updates which users are alerted', async () => {
  const id = await sendToStream(owner, garden, 'beds', 'late frost')
  const inbox = await openQueue(otto)
  assert.deepEqual(await alertedBy(id), [true, false])

  await owner.messages.edit({ message_id: id, content: 'early c++' })
  assert.deepEqual(await alertedBy(id), [false, true])
  const [event] = await inbox.take(1)
  assert.ok(event?.type === 'update_message' && event.flags?.includes('has_alert_word'))

  await owner.messages.edit({ message_id: id, content: 'nothing' })
  assert.deepEqual(await alertedBy(id), [false, false])
  assert.deepEqual(await rowsOf(id), [])
})

test('a new alert word takes effect for the next message on the same node', async () => {
  const before = await sendToStream(owner, garden, 'beds', 'tulips')

  await iris.alertWords.add({ alert_words: ['tulips'] })
  const after = await sendToStream(owner, garden, 'beds', 'tulips')
  await iris.alertWords.remove({ alert_words: ['TULIPS'] })
  const last = await sendToStream(owner, garden, 'beds', 'tulips')

  const outcomes = await Promise.all([before, after, last].map((id) => isAlerted(iris, id)))
  assert.deepEqual(outcomes, [false, true, false])
})

test('a new alert word takes effect on the other node when the event arrives', async () => {
  await sendToStream(owner.on('b'), garden, 'beds', 'lilies')

  await iris.on('a').alertWords.add({ alert_words: ['lilies'] })
  await world.settled()

  assert.equal(await isAlerted(iris, await sendToStream(owner.on('b'), garden, 'beds', 'lilies')), true)
})

test('alert words of another organization have no effect', async () => {
  const hill = await world.addOrganization('hill')
  await hill.owner.alertWords.add({ alert_words: ['heather'] })
  await hill.owner.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }] })
  const id = await sendToStream(owner, garden, 'beds', 'heather')
  assert.deepEqual(await rowsOf(id), [])
})

test('sending a message reads alert words from the cache, and changing them invalidates only the cached words', async () => {
  const { db, events } = world.nodes.a.app
  await sendToStream(owner, garden, 'beds', 'roses')
  const forgotten: object[] = []
  events.log.onInvalidate((_, effect) => forgotten.push(effect as object))
  await iris.alertWords.add({ alert_words: ['violets'] })
  assert.deepEqual(forgotten[0], { kind: 'organization', subject: 'alert words' })
  await sendToStream(owner, garden, 'beds', 'roses')
  await world.settled()
  await sendToStream(owner, garden, 'beds', 'roses')

  await sql`alter table alert_word rename to hidden_word`.execute(db)
  // A node that briefly lost its connection has to query PostgreSQL, so the first attempts may
  // fail.
  const id = await eventually(() => sendToStream(owner, garden, 'beds', 'violets').catch(() => undefined))
  await sql`alter table hidden_word rename to alert_word`.execute(db)

  assert.equal(await isAlerted(iris, id), true)
})
