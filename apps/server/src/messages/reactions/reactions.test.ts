import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { react, readReactions } from '@oxbow/testkit/calls/reactions'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, nora] = await world.people('iris', 'otto', 'nora')
const garden = await world.stream('garden', { members: [iris, otto] })

const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }
const rocket = { emoji_name: 'rocket', emoji_code: '1f680', reaction_type: 'unicode_emoji' }
const chat = { emoji_name: 'chat', emoji_code: 'chat', reaction_type: 'chat_extra_emoji' }

test('a fetched message lists its reactions in the order they were added', async () => {
  const id = await sendToStream(iris, garden, 'roses')

  await react(otto, id, 'tada')
  await react(iris, id, 'rocket')
  await react(otto, id, 'chat')

  const by = ({ user_id, email }: typeof iris, full_name: string) => ({
    user_id,
    user: { id: user_id, email, full_name },
  })
  for (const reader of [iris, otto, nora])
    assert.deepEqual(await readReactions(reader, id, garden), [
      { ...tada, ...by(otto, 'Otto Gardener') },
      { ...rocket, ...by(iris, 'Iris Gardener') },
      { ...chat, ...by(otto, 'Otto Gardener') },
    ])
})

test('missing reaction_type and emoji_code are derived from the name', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  for (const params of [
    { emoji_name: 'tada' },
    { emoji_name: 'tada', emoji_code: '1f389' },
    { emoji_name: 'tada', reaction_type: 'unicode_emoji' },
    tada,
  ]) {
    await otto.messages.addReaction({ message_id: id, ...params })
    const [{ user_id, user, ...reacted } = {}] = await readReactions(iris, id)
    assert.deepEqual(reacted, tada)
    await otto.messages.removeReaction({ message_id: id, emoji_name: 'tada' })
  }
})

test("invalid emoji are refused in the protocol's order of checks", async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const add = (params: Record<string, string>, to: number = id) =>
    call(world, otto, `POST /messages/${to}/reactions`, params)
  const unicode = { reaction_type: 'unicode_emoji' }
  const custom = { reaction_type: 'realm_emoji' }
  const extra = { reaction_type: 'chat_extra_emoji' }
  const cases: [params: Record<string, string>, msg: string][] = [
    [{ emoji_name: 'nothing' }, "Emoji 'nothing' does not exist"],
    [{ emoji_name: 'nothing', emoji_code: '1f389' }, "Emoji 'nothing' does not exist"],
    [{ emoji_name: 'nothing', ...unicode }, "Emoji 'nothing' does not exist"],
    [{ emoji_name: '', emoji_code: '' }, "Emoji '' does not exist"],
    [{ emoji_name: 'tada', emoji_code: 'ffff' }, 'Invalid emoji code.'],
    [{ emoji_name: 'tada', emoji_code: '1F389' }, 'Invalid emoji code.'],
    [{ emoji_name: 'two words', emoji_code: '1f389', ...unicode }, 'Invalid emoji name.'],
    [{ emoji_name: '', emoji_code: '1f389', ...unicode }, 'Invalid emoji name.'],
    [{ emoji_name: 'tada', emoji_code: '1', ...custom }, 'Invalid custom emoji.'],
    [{ emoji_name: 'tada', emoji_code: '', ...custom }, 'Invalid custom emoji.'],
    [{ emoji_name: 'chat', emoji_code: '1f389', ...extra }, 'Invalid emoji code.'],
    [{ emoji_name: 'tada', emoji_code: 'chat', ...extra }, 'Invalid emoji name.'],
    [{ emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'other' }, 'Invalid emoji type.'],
    [{ emoji_name: 'chat', emoji_code: 'chat', reaction_type: 'zulip_extra_emoji' }, 'Invalid emoji type.'],
  ]
  for (const [params, msg] of cases) assert.deepEqual(await add(params), refusal(msg), JSON.stringify(params))
  assert.deepEqual(
    await add({}),
    refusal("Missing 'emoji_name' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'emoji_name' }),
  )
  assert.deepEqual(await add({ emoji_name: 'nothing' }, 999_999), refusal('Invalid message(s)'))
  assert.deepEqual(await readReactions(iris, id), [])
})

test('a second reaction with the same emoji is refused under any of its names', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(otto, message_id, 'tada')

  const exists = refusal('Reaction already exists.')
  await assert.rejects(react(otto, message_id, 'tada'), exists)
  await assert.rejects(react(otto, message_id, 'congratulations'), exists)
  const another = { ...tada, emoji_name: 'anything' }
  await assert.rejects(otto.messages.addReaction({ message_id, ...another }), exists)
  assert.equal((await readReactions(otto, message_id)).length, 1)
})

test('later reactions get the emoji name of the first one', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(otto, message_id, 'congratulations')

  await react(iris, message_id, 'tada')
  // The name is not checked any more, because the message already has a reaction with this emoji.
  await nora.messages.addReaction({ message_id, ...tada, emoji_name: 'anything' })
  await otto.messages.removeReaction({ message_id, emoji_name: 'tada' })
  await react(otto, message_id, 'tada')

  const names = (await readReactions(iris, message_id)).map(({ emoji_name }) => emoji_name)
  assert.deepEqual(names, ['congratulations', 'congratulations', 'congratulations'])
})

test('a reaction is removed by name or by code', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const remove = (params: Record<string, string>, by = otto, from: number = id) =>
    call(world, by, `DELETE /messages/${from}/reactions`, params)
  const ways: Record<string, string>[] = [
    { emoji_name: 'tada' },
    { emoji_name: 'congratulations' },
    { emoji_code: '1f389' },
    { emoji_name: 'rocket', emoji_code: '1f389' },
    { emoji_name: 'tada', reaction_type: 'unicode_emoji' },
  ]
  for (const params of ways) {
    await react(otto, id, 'tada')
    assert.equal((await remove(params)).status, 200, JSON.stringify(params))
    assert.deepEqual(await readReactions(iris, id), [])
  }

  await react(iris, id, 'tada')
  const gone = refusal("Reaction doesn't exist.")
  const cases: [params: Record<string, string>, expected: object][] = [
    [{}, refusal('At least one of the following arguments must be present: emoji_name, emoji_code')],
    [{ emoji_name: 'nothing' }, refusal("Emoji 'nothing' does not exist")],
    [{ emoji_name: 'tada' }, gone],
    [{ emoji_code: 'no such' }, gone],
    [{ emoji_name: 'nothing', emoji_code: '1f680' }, gone],
    [{ emoji_code: '1f389', reaction_type: 'other' }, gone],
  ]
  for (const [params, expected] of cases)
    assert.deepEqual(await remove(params), expected, JSON.stringify(params))
  assert.deepEqual(await remove({ emoji_name: 'tada' }, iris, 999_999), refusal('Invalid message(s)'))
  assert.equal((await readReactions(iris, id)).length, 1)
})

test('removing a reaction does not derive its type from the name', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(otto, message_id, 'chat')

  const byName = otto.messages.removeReaction({ message_id, emoji_name: 'chat' })
  await assert.rejects(byName, refusal("Reaction doesn't exist."))
  await otto.messages.removeReaction({ message_id, emoji_name: 'chat', reaction_type: 'chat_extra_emoji' })

  assert.deepEqual(await readReactions(iris, message_id), [])
})

test('reacting to an unreadable message is refused', async () => {
  const cellar = await world.stream('cellar', { members: [iris, owner], invite_only: true })
  const guest = await world.person('gus', 'guest')
  const inGarden = await sendToStream(iris, garden, 'roses')
  const invalid = refusal('Invalid message(s)')

  for (const id of [await sendToStream(iris, cellar, 'plans'), await sendPrivately(iris, [owner])]) {
    await assert.rejects(react(otto, id, 'tada'), invalid)
    await react(owner, id, 'tada')
    const removal = otto.messages.removeReaction({ message_id: id, emoji_name: 'tada' })
    await assert.rejects(removal, invalid)
  }
  await assert.rejects(react(guest, inGarden, 'tada'), invalid)
})

test('a user who reacts to an undelivered message keeps it after removing the reaction', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const received = async () => {
    const { messages } = await nora.messages.list({ anchor: String(id), num_before: 0, num_after: 0 })
    return messages.map(({ flags }) => flags)
  }
  assert.deepEqual(await received(), [])

  await react(nora, id, 'tada')
  assert.deepEqual(await received(), [['read', 'historical']])
  await nora.messages.removeReaction({ message_id: id, emoji_name: 'tada' })
  assert.deepEqual(await received(), [['read', 'historical']])

  const [{ rows } = { rows: -1 }] = await world.database.query<{ rows: number }>(
    'select count(*)::int as rows from user_message where message_id = $1',
    [id],
  )
  assert.equal(rows, 1)
})

test('reacting to a received message adds no user_message row, and starring it still works', async () => {
  const id = await sendToStream(iris, garden, 'roses')

  await react(otto, id, 'tada')

  const rows = await world.database.query('select from user_message where message_id = $1', [id])
  assert.deepEqual(rows, [])
  await otto.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
  const { messages } = await otto.messages.list({ anchor: String(id), num_before: 0, num_after: 0 })
  assert.deepEqual(messages[0]?.flags, ['starred'])
})

test('deleting a message deletes its reactions', async () => {
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(otto, message_id, 'tada')
  await react(nora, message_id, 'rocket')

  await owner.messages.remove({ message_id })

  const rows = await world.database.query('select from reaction where message_id = $1', [message_id])
  assert.deepEqual(rows, [])
})

test('reactions remain when the message moves or their user is deactivated', async () => {
  const fern = await world.person('fern')
  const shed = await world.stream('shed', { members: [iris, otto] })
  const message_id = await sendToStream(iris, garden, 'roses')
  await react(fern, message_id, 'tada')

  await owner.messages.edit({ message_id, stream_id: shed.stream_id })
  await owner.users.deactivate({ user_id: fern.user_id })

  assert.deepEqual(
    (await readReactions(otto, message_id)).map(({ user_id }) => user_id),
    [fern.user_id],
  )
  await react(iris, message_id, 'congratulations')
  assert.deepEqual((await readReactions(otto, message_id)).at(-1)?.emoji_name, 'tada')
})

test('fetched reactions contain display addresses', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  await react(otto, id, 'tada')

  await setOrganizationRules(world, 'email_address_visibility = 3')
  const [hidden] = await readReactions(iris, id)
  await setOrganizationRules(world, 'email_address_visibility = 1')

  assert.match(hidden?.user.email ?? '', new RegExp(`^user${otto.user_id}@`))
})

test('legacy clients send and receive the older name of the extra emoji type', async () => {
  const id = await sendToStream(iris, garden, 'roses')
  const queue = await legacy('POST', '/register', { event_types: '["reaction"]' })
  const path = `/messages/${id}/reactions`
  const type = { reaction_type: 'zulip_extra_emoji' }

  const own = { emoji_name: 'zulip', emoji_code: 'zulip', ...type }
  assert.equal((await legacy('POST', path, own)).result, 'success')
  const listed = await legacy('GET', '/messages', {
    anchor: String(id),
    num_before: '0',
    num_after: '0',
  })
  assert.equal((await legacy('DELETE', path, { emoji_name: 'chat', ...type })).result, 'success')
  await react(otto, id, 'tada')
  await world.settled()

  const [message] = listed.messages as { reactions: object[] }[]
  const shown = { emoji_name: 'chat', emoji_code: 'chat', ...type }
  assert.deepEqual(typesOf(message?.reactions ?? []), [shown])
  const { events } = await legacy('GET', '/events', {
    queue_id: String(queue.queue_id),
    last_event_id: String(queue.last_event_id),
    dont_block: 'true',
  })
  assert.deepEqual(typesOf(events as object[]), [shown, shown, tada])
})

const typesOf = (reactions: readonly object[]) =>
  reactions.map((reaction) => {
    const { emoji_name, emoji_code, reaction_type } = reaction as typeof tada
    return { emoji_name, emoji_code, reaction_type }
  })

async function legacy(method: string, path: string, params: Record<string, string>) {
  const { email, api_key } = otto
  const { body } = await request(world.nodes.a.url, {
    method,
    path: `/api/v1${path}`,
    credentials: { email, api_key },
    headers: { 'user-agent': 'ZulipPython/0.9.1' },
    ...(method === 'GET' ? { query: params } : { form: params }),
  })
  return body
}
