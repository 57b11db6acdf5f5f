import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageFlag, MessageId, OrganizationId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { listFlags } from './flag-queries.ts'
import { viewFlags } from './read/views.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, nora, lara] = await world.people('iris', 'otto', 'nora', 'lara')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { iris, otto, nora, lara, ada, gus, robin }

/**
 * Returns the message's flags as the API returns them to the person, or undefined if the person
 * cannot fetch it.
 */
async function fetchFlags(person: Person, id: MessageId): Promise<MessageFlag[] | undefined> {
  const narrow = [{ operator: 'id', operand: String(id) }]
  const { messages } = await person.messages.list({ anchor: String(id), num_before: 0, num_after: 0, narrow })
  return messages.find((message) => message.id === id)?.flags
}

/**
 * Returns whether the person is subscribed to the message's stream or has a `user_message` row for
 * it.
 */
async function isConcerned({ user_id }: Person, id: MessageId): Promise<boolean> {
  const rows = await world.database.query(
    `select from message m where m.id = $2 and (
       exists (select from subscription s where s.user_id = $1 and s.stream_id = m.recipient_id and s.is_active)
       or exists (select from user_message own where own.user_id = $1 and own.message_id = m.id))`,
    [user_id, id],
  )
  return rows.length > 0
}

test('listFlags returns for each user the flags that the API returns to that user', async () => {
  const members = [iris, otto, nora, lara, gus]
  const from = await world.stream('from', { members })
  const to = await world.stream('to', { members: [iris, otto, lara] })
  const cellar = await world.stream('cellar', { members: [iris, otto], invite_only: true })
  const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
  const move = (message_id: MessageId, { stream_id }: MadeStream) =>
    ada.messages.edit({ message_id, stream_id, ...quietly })
  const flag = (person: Person, messages: MessageId[], name: string, op: 'add' | 'remove' = 'add') =>
    person.messages.changeFlags({ messages, op, flag: name })
  const texts = ['Plain', '@**all**', '@**Otto Gardener** @**Gus Gardener**', '@**robin bot** come']
  const ids: MessageId[] = []
  for (const stream of [from, from, to, cellar])
    for (const text of texts) ids.push(await sendToStream(iris, stream, 'roses', text))
  ids.push(
    await sendPrivately(iris, [otto], '@**Otto Gardener**'),
    await sendPrivately(nora, [iris, otto, gus]),
  )
  const [first, second, third] = ids as [MessageId, MessageId, MessageId]
  await flag(otto, ids.slice(4, 6), 'read')
  await flag(otto, [first, ids.at(-1) as MessageId], 'starred')
  await flag(ada, [second], 'starred')
  await lara.messages.markAllRead()
  await flag(lara, [third], 'read', 'remove')
  for (const id of ids.slice(0, 4)) await move(id, to)
  await move(second, from)
  await lara.subscriptions.unsubscribe({ subscriptions: [from.name] })
  await nora.subscriptions.subscribe({ subscriptions: [{ name: to.name }] })
  await iris.subscriptions.subscribe({ subscriptions: [{ name: cellar.name }], principals: [nora.user_id] })

  for (const id of ids) {
    const rows = await listFlags(world.nodes.a.app.db, world.organization_id as OrganizationId, id)
    const flagsByUser = new Map(rows.map((row) => [row.user_id, viewFlags(row)]))
    for (const [name, person] of Object.entries(everyone)) {
      if (!(await isConcerned(person, id))) continue
      const own = await fetchFlags(person, id)
      const isTheirs = own && !(own.length === 2 && own[1] === 'historical')
      const expected = isTheirs ? own : ['read']
      assert.deepEqual(flagsByUser.get(person.user_id) ?? ['read'], expected, `${name} and message ${id}`)
    }
  }
})
