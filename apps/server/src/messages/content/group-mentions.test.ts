import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageFlag, MessageId } from '@oxbow/contract'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents, type NamedPeople } from '@oxbow/testkit/calls/events'
import { readMessage, sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { addMembers, makeGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, rosa, lena] = await world.people('iris', 'otto', 'rosa', 'lena')
const gus = await world.person('gus', 'guest')
const [robin, wren] = [await world.bot('robin', iris), await world.bot('wren', iris)]
const garden = await world.stream('garden', { members: [iris, otto, gus, robin, lena] })
await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')
// Rosa and the bot wren are not in the stream; Lena is not in the group.
const bakers = await makeGroup(iris, 'bakers', iris, otto, rosa, gus, robin, wren)
const everyone = { owner, iris, otto, rosa, lena, gus, robin, wren }

const span = (id: number, name: string) =>
  `<span class="user-group-mention" data-user-group-id="${id}">@${name}</span>`

/** Returns the names of the users who find the message among their mentions. */
async function findMentioned(id: MessageId): Promise<string[]> {
  const narrow = [{ operator: 'is', operand: 'mentioned' }]
  const found = await Promise.all(
    Object.entries(everyone).map(async ([name, { messages }]) => {
      const page = await messages.list({ anchor: String(id), num_before: 0, num_after: 0, narrow })
      return page.messages.some((message) => message.id === id) ? [name] : []
    }),
  )
  return found.flat()
}

/** Returns for each user the flags in the event of a sent or edited message. */
async function collectFlags(change: () => Promise<unknown>): Promise<Record<string, MessageFlag[]>> {
  const events = await collectEvents(world, everyone as NamedPeople, change, {
    event_types: ['message', 'update_message'],
    all_public_streams: true,
  })
  return Object.fromEntries(
    Object.entries(events).flatMap(([name, list]) => {
      const flags = list.flatMap((event) =>
        event.type === 'message' || event.type === 'update_message' ? [event.flags] : [],
      )
      return flags.length > 0 ? [[name, flags.flat()]] : []
    }),
  )
}

const mentionsOf = async ({ events }: Person) => {
  const { unread_msgs } = await events.register({ fetch_event_types: ['message', 'update_message_flags'] })
  return unread_msgs?.mentions ?? []
}

test('a group mention in a stream flags the message for members who receive it', async () => {
  let id = 0 as MessageId
  const flags = await collectFlags(async () => {
    id = await sendToStream(iris, garden, 'bread', 'Fresh @*bakers*, `@*bakers*`, @*nobody*')
  })

  assert.equal(
    (await readMessage(lena.on('b'), id)).content,
    `<p>Fresh ${span(bakers, 'bakers')}, <code>@*bakers*</code>, @<em>nobody</em></p>`,
  )
  assert.deepEqual(flags, {
    owner: [],
    iris: ['mentioned'],
    otto: ['mentioned'],
    rosa: [],
    lena: [],
    // A bot that is not subscribed gets messages that mention it by name, but not group mentions.
    wren: [],
    robin: ['mentioned'],
    gus: ['mentioned'],
  })
  assert.deepEqual((await readMessage(otto.on('b'), id)).flags, ['mentioned'])
  assert.deepEqual((await readMessage(lena.on('b'), id)).flags, [])
  assert.deepEqual(await findMentioned(id), ['iris', 'otto', 'gus', 'robin'])
  for (const person of [otto, gus]) assert.ok((await mentionsOf(person)).includes(id))
  for (const person of [rosa, lena, owner]) assert.ok(!(await mentionsOf(person)).includes(id))
})

test('a group mention in a private message flags it for members in the conversation', async () => {
  let id = 0 as MessageId
  const flags = await collectFlags(async () => {
    id = await sendPrivately(lena, [otto, rosa], '@*bakers*')
  })

  assert.deepEqual(flags, { lena: [], otto: ['mentioned'], rosa: ['mentioned'] })
  assert.deepEqual(await findMentioned(id), ['otto', 'rosa'])
})

test("a group mention inside a quote mentions the group's members, and a name that does not match exactly mentions nobody", async () => {
  const quoted = await sendToStream(lena, garden, 'bread', '> @*bakers*')
  assert.deepEqual((await readMessage(otto.on('b'), quoted)).flags, ['mentioned'])

  for (const content of ['@*Bakers*', '@* bakers*', 'x@*bakers*', '@_*bakers*', '@**bakers**']) {
    const id = await sendToStream(lena, garden, 'bread', content)
    assert.ok(!(await readMessage(otto.on('b'), id)).content.includes('data-user-group-id'), content)
    assert.deepEqual((await readMessage(otto.on('b'), id)).flags, [], content)
  }
})

test('a user mentioned by name and through groups is mentioned once', async () => {
  const millers = await makeGroup(iris, 'millers', otto, lena)

  const id = await sendToStream(
    iris,
    garden,
    'bread',
    '@*bakers* @*millers* @**Otto Gardener** @**wren bot**',
  )

  assert.deepEqual(await findMentioned(id), ['iris', 'otto', 'lena', 'gus', 'robin', 'wren'])
  await iris.userGroups.update({ user_group_id: bakers, description: 'Bread' })
  await owner.userGroups.remove({ user_group_id: millers })
  // Later changes of the group's members do not affect the message.
  assert.deepEqual(await findMentioned(id), ['iris', 'otto', 'lena', 'gus', 'robin', 'wren'])
})

test('a deactivated group member is not mentioned until reactivated', async () => {
  const nils = await world.person('nils')
  await iris.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [nils.user_id] })
  await addMembers(iris, bakers, nils)
  await owner.users.deactivate({ user_id: nils.user_id })
  const meanwhile = await sendToStream(iris, garden, 'bread', '@*bakers*')
  await owner.users.reactivate({ user_id: nils.user_id })
  const afterwards = await sendToStream(iris, garden, 'bread', '@*bakers*')

  const noted = await world.database.query<{ message_id: MessageId }>(
    'select message_id::int from user_message where user_id = $1',
    [nils.user_id],
  )
  assert.deepEqual(
    noted.map(({ message_id }) => message_id),
    [afterwards],
  )
  assert.ok(meanwhile < afterwards)
  await removeMembers(iris, bakers, nils)
})

test('a renamed group keeps its old name in earlier messages', async () => {
  const group = await makeGroup(iris, 'cooks', iris, otto)
  const before = await sendToStream(lena, garden, 'soup', '@*cooks*')

  await iris.userGroups.update({ user_group_id: group, name: 'chefs' })
  const byOldName = await sendToStream(lena, garden, 'soup', '@*cooks*')
  const byNewName = await sendToStream(lena, garden, 'soup', '@*chefs*')

  assert.equal((await readMessage(otto.on('b'), before)).content, `<p>${span(group, 'cooks')}</p>`)
  assert.equal((await readMessage(otto.on('b'), byOldName)).content, '<p>@<em>cooks</em></p>')
  assert.equal((await readMessage(otto.on('b'), byNewName)).content, `<p>${span(group, 'chefs')}</p>`)
  assert.deepEqual(await findMentioned(byOldName), [])
  // An edit resolves group names again.
  await lena.messages.edit({ message_id: before, content: '@*cooks*!' })
  assert.equal((await readMessage(otto.on('b'), before)).content, '<p>@<em>cooks</em>!</p>')
  assert.deepEqual(await findMentioned(before), [])
})

test('an edit that changes group mentions updates the flags of all users who have the message', async () => {
  const message_id = await sendToStream(lena, garden, 'cake', 'Cake')
  const edit = (content: string) => collectFlags(() => lena.messages.edit({ message_id, content }))

  const called = await edit('@*bakers* cake')
  assert.deepEqual(called.otto, ['mentioned'])
  assert.deepEqual(called.rosa, ['read'])
  assert.deepEqual(await findMentioned(message_id), ['iris', 'otto', 'gus', 'robin'])

  await removeMembers(iris, bakers, otto)
  await addMembers(iris, bakers, lena)
  // Changed members of the group affect the message only when it is edited.
  assert.deepEqual(await findMentioned(message_id), ['iris', 'otto', 'gus', 'robin'])
  assert.deepEqual((await edit('@*bakers* more cake')).otto, [])
  assert.deepEqual(await findMentioned(message_id), ['iris', 'lena', 'gus', 'robin'])

  assert.deepEqual((await edit('No cake')).gus, [])
  assert.deepEqual(await findMentioned(message_id), [])
  await addMembers(iris, bakers, otto)
  await removeMembers(iris, bakers, lena)
})

test('applying events of added and removed group mentions gives the same unread mentions as a new register', async () => {
  const checkState = (change: () => Promise<unknown>) => expectSameState(world, everyone, change)
  let message_id = 0 as MessageId

  await checkState(async () => {
    message_id = await sendToStream(lena, garden, 'pie', '@*bakers* pie')
    await sendPrivately(lena, [otto, gus, rosa], '@*bakers*')
  })
  await checkState(() => lena.messages.edit({ message_id, content: 'Pie' }))
  await checkState(() => lena.messages.edit({ message_id, content: 'Pie, @*bakers*' }))
  await checkState(() => removeMembers(iris, bakers, gus))
  await checkState(() => lena.messages.edit({ message_id, content: 'More pie, @*bakers*' }))
  await checkState(async () => {
    await otto.messages.changeFlags({ messages: [message_id], op: 'add', flag: 'read' })
    await owner.userGroups.remove({ user_group_id: bakers })
    await lena.messages.edit({ message_id, content: 'Last pie, @*bakers*' })
  })
})

test('a preview renders group mentions, and leaves groups of other organizations and of guests as text', async () => {
  const hill = await world.addOrganization('hill')
  const group = await makeGroup(iris, 'tasters', otto)
  const content = '@*tasters*'

  for (const person of [iris, robin])
    assert.equal((await person.messages.render({ content })).rendered, `<p>${span(group, 'tasters')}</p>`)
  for (const person of [gus, hill.owner])
    assert.equal((await person.messages.render({ content })).rendered, '<p>@<em>tasters</em></p>')
})
