import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type GroupSetting, type StreamRight, SystemGroup, type UserGroupId } from '@oxbow/contract'
import { eventually, type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { checkExplanation, outcomeOf } from '@oxbow/testkit/calls/permissions'
import { addMembers, makeGroup, removeMembers } from '@oxbow/testkit/calls/user-groups'
import { sql } from 'kysely'
import { inTransaction } from '../platform/database/transaction.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const everyone = [owner, ada, iris, otto, rosa, gus]

let made = 0
const makeStream = (members: readonly Person[] = everyone, options = {}) =>
  world.stream(`stream ${++made}`, { by: owner, members, ...options })

const value = (people: readonly Person[], ...groups: number[]): GroupSetting => ({
  direct_members: people.map(({ user_id }) => user_id),
  direct_subgroups: groups as UserGroupId[],
})
const give = ({ stream_id }: MadeStream, right: StreamRight, given: GroupSetting) =>
  ada.streams.update({ stream_id, [right]: { new: given } })
const ofRole = (group: number) => group as UserGroupId

test('a stream lets the members of a group post, directly or through a sub-group, and administrators', async () => {
  const stream = await makeStream()
  const [writers, editors] = [
    await makeGroup(owner, 'writers', otto),
    await makeGroup(owner, 'editors', iris),
  ]
  await owner.userGroups.changeSubgroups({ user_group_id: writers, add: [editors] })

  await give(stream, 'can_send_message_group', value([gus], writers))

  const outcomes = await Promise.all(
    everyone.map((person) => outcomeOf(sendToStream(person, stream, 'roses'))),
  )
  assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'ok', 'NOT_ALLOWED_TO_POST', 'ok'])
  const { stream: shown } = await rosa.streams.get({ stream_id: stream.stream_id })
  assert.equal(shown.stream_post_policy, 2)
  assert.deepEqual(shown.can_send_message_group, value([gus], writers, SystemGroup.administrators))
})

test('a right for a role is a post policy where one expresses it, and the nearest stricter one otherwise', async () => {
  const stream = await makeStream()
  const read = async () => (await rosa.streams.get({ stream_id: stream.stream_id })).stream
  for (const [group, policy, shown] of [
    [SystemGroup.everyone, 1, undefined],
    [SystemGroup.members, 2, SystemGroup.members],
    [SystemGroup.fullMembers, 3, undefined],
    [SystemGroup.moderators, 2, SystemGroup.moderators],
    [SystemGroup.administrators, 2, undefined],
    [SystemGroup.nobody, 2, undefined],
  ] as const) {
    await give(stream, 'can_send_message_group', ofRole(group))
    const { stream_post_policy, can_send_message_group } = await read()
    assert.deepEqual([stream_post_policy, can_send_message_group], [policy, shown], String(group))
  }
  await give(stream, 'can_send_message_group', value([iris]))
  await ada.streams.update({ stream_id: stream.stream_id, stream_post_policy: 1 })
  assert.equal((await read()).can_send_message_group, undefined)
})

test('people who may not start topics continue those that exist, and neither move nor edit messages to new ones', async () => {
  const stream = await makeStream()
  const other = await makeStream()
  await sendToStream(iris, stream, 'Roses')
  const own = await sendToStream(rosa, stream, 'roses')
  const elsewhere = await sendToStream(rosa, other, 'tulips')
  await give(stream, 'can_create_topic_group', value([iris]))
  await give(other, 'can_move_messages_out_of_channel_group', value([rosa]))

  assert.equal(await outcomeOf(sendToStream(rosa, stream, 'ROSES')), 'ok')
  assert.equal(await outcomeOf(sendToStream(rosa, stream, 'tulips')), 'CANNOT_START_TOPICS')
  assert.equal(
    await outcomeOf(rosa.messages.edit({ message_id: own, topic: 'tulips' })),
    'CANNOT_START_TOPICS',
  )
  const move = (topic?: string) =>
    rosa.messages.edit({ message_id: elsewhere, stream_id: stream.stream_id, ...(topic && { topic }) })
  assert.equal(await outcomeOf(move()), 'CANNOT_START_TOPICS')
  assert.equal(await outcomeOf(move('roses')), 'ok')
  assert.equal(await outcomeOf(sendToStream(iris, stream, 'tulips')), 'ok')
  assert.equal(await outcomeOf(sendToStream(rosa, stream, 'tulips')), 'ok')
})

test('a right to delete messages does not reach messages that were moved from a stream without it', async () => {
  const [stream, other] = [await makeStream(), await makeStream()]
  const [there, moved] = [await sendToStream(otto, stream, 'roses'), await sendToStream(otto, other, 'roses')]
  const own = await sendToStream(rosa, other, 'roses')
  for (const right of ['can_delete_any_message_group', 'can_delete_own_message_group'] as const)
    await give(stream, right, value([rosa]))
  await give(other, 'can_move_messages_out_of_channel_group', value([rosa]))
  const remove = (message_id: typeof there) => outcomeOf(rosa.messages.remove({ message_id }))
  for (const message_id of [moved, own]) await rosa.messages.edit({ message_id, stream_id: stream.stream_id })

  assert.equal(await remove(moved), 'CANNOT_DELETE_MESSAGE')
  assert.equal(await remove(own), 'CANNOT_DELETE_MESSAGE')
  assert.equal(await remove(there), 'ok')
})

test('a right to move messages requires the right to post where they go', async () => {
  const [from, to, hidden] = [
    await makeStream(),
    await makeStream(),
    await makeStream([owner], { invite_only: true }),
  ]
  const message_id = await sendToStream(otto, from, 'roses')
  const move = ({ stream_id }: MadeStream) => outcomeOf(rosa.messages.edit({ message_id, stream_id }))
  assert.equal(await move(to), 'CANNOT_MOVE_MESSAGE')
  await give(from, 'can_move_messages_out_of_channel_group', value([rosa]))
  await give(to, 'can_send_message_group', value([iris]))

  assert.equal(await move(to), 'CANNOT_MOVE_MESSAGE')
  assert.equal(await move(hidden), 'INVALID_STREAM_ID')
  await give(to, 'can_send_message_group', ofRole(SystemGroup.members))
  assert.equal(await move(to), 'ok')
})

test('explanations of rights agree with what happens', async () => {
  await setOrganizationRules(world, 'invite_to_stream_policy = 2')
  await setOrganizationRules(world, 'allow_community_topic_editing = false')
  const rules = new Set<string>()
  for (const person of [ada, iris, otto, gus]) {
    const stream = await makeStream([owner, otto, rosa, ada, iris, gus])
    const { stream_id } = stream
    const message_id = await sendToStream(rosa, stream, 'roses')
    for (const right of [
      'can_send_message_group',
      'can_create_topic_group',
      'can_move_messages_within_channel_group',
      'can_move_messages_out_of_channel_group',
      'can_delete_any_message_group',
      'can_add_subscribers_group',
    ] as const)
      await give(stream, right, value([otto]))
    const check = async (query: Parameters<typeof checkExplanation>[2], act: () => Promise<unknown>) =>
      rules.add(await checkExplanation(world, person, query, () => outcomeOf(act()), query.action))

    await check({ action: 'post', stream_id }, () => sendToStream(person, stream, 'roses'))
    await check({ action: 'start_topic', stream_id }, () => sendToStream(person, stream, 'tulips'))
    await check({ action: 'add_subscribers', stream_id }, () =>
      person.subscriptions.subscribe({
        subscriptions: [{ name: stream.name }],
        principals: [owner.user_id],
      }),
    )
    await check({ action: 'edit_topic', message_id }, () =>
      person.messages.edit({ message_id, topic: 'roses!' }),
    )
    await check({ action: 'delete_message', message_id }, () => person.messages.remove({ message_id }))
  }
  await setOrganizationRules(world, 'invite_to_stream_policy = 1')
  await setOrganizationRules(world, 'allow_community_topic_editing = true')
  for (const rule of ['stream_right', 'stream_right_missing']) assert.ok(rules.has(rule), rule)
})

test('only administrators change a group that gives rights, also through a group that contains it', async () => {
  const stream = await makeStream()
  const [outer, inner] = [await makeGroup(owner, 'outer', rosa), await makeGroup(owner, 'inner', rosa)]
  await addMembers(rosa, inner, iris)
  await owner.userGroups.changeSubgroups({ user_group_id: outer, add: [inner] })
  await give(stream, 'can_send_message_group', value([], outer))

  for (const id of [outer, inner]) {
    assert.equal(await outcomeOf(addMembers(rosa, id, otto)), 'USER_GROUP_GIVES_RIGHTS')
    assert.equal(await outcomeOf(rosa.userGroups.remove({ user_group_id: id })), 'USER_GROUP_GIVES_RIGHTS')
  }
  assert.equal(await outcomeOf(owner.userGroups.remove({ user_group_id: outer })), 'USER_GROUP_IN_USE')
  await addMembers(ada, inner, otto)
  assert.equal(await outcomeOf(sendToStream(otto, stream, 'roses')), 'ok')
  await ada.userGroups.remove({ user_group_id: inner })
  assert.equal(await outcomeOf(sendToStream(otto, stream, 'roses')), 'NOT_ALLOWED_TO_POST')
})

test('groups cannot contain themselves', async () => {
  const [a, b, c] = [await makeGroup(owner, 'a'), await makeGroup(owner, 'b'), await makeGroup(owner, 'c')]
  const add = (group: UserGroupId, ...ids: UserGroupId[]) =>
    outcomeOf(owner.userGroups.changeSubgroups({ user_group_id: group, add: ids }))

  assert.equal(await add(a, a), 'USER_GROUP_CIRCLE')
  assert.equal(await add(a, b), 'ok')
  assert.equal(await add(a, b), 'ALREADY_SUBGROUP')
  assert.equal(await add(b, c), 'ok')
  assert.equal(await add(c, a), 'USER_GROUP_CIRCLE')
  const racing = await Promise.all([add(c, a), add(a, c)])
  assert.deepEqual(racing.toSorted(), ['USER_GROUP_CIRCLE', 'ok'])
})

test('a change of a right with an outdated old value is refused', async () => {
  const stream = await makeStream()
  const { stream_id } = stream
  const change = (old: GroupSetting, given: GroupSetting) =>
    outcomeOf(ada.streams.update({ stream_id, can_create_topic_group: { new: given, old } }))

  assert.equal(await change(ofRole(SystemGroup.members), value([iris])), 'RIGHT_OUTDATED')
  assert.equal(await change(ofRole(SystemGroup.everyone), value([iris])), 'ok')
  assert.equal(await change(value([iris]), value([rosa])), 'ok')
  assert.equal(
    await outcomeOf(give(stream, 'can_create_topic_group', value([], 987_654))),
    'USER_GROUP_INVALID',
  )
})

test('a bot has a right through its owner or by name, and never through a role that its owner lacks', async () => {
  const stream = await makeStream()
  const bot = await world.bot('robin', rosa)
  await owner.subscriptions.subscribe({
    subscriptions: [{ name: stream.name }],
    principals: [bot.user_id],
  })
  const post = () => outcomeOf(sendToStream(bot, stream, 'roses'))

  await give(stream, 'can_send_message_group', value([rosa]))
  assert.equal(await post(), 'ok')
  await give(stream, 'can_send_message_group', value([bot]))
  assert.equal(await post(), 'ok')
  await give(stream, 'can_send_message_group', ofRole(SystemGroup.members))
  assert.equal(await post(), 'ok')
  await world.database.query('update user_account set role = 600 where id = $1', [rosa.user_id])
  assert.equal(await post(), 'NOT_ALLOWED_TO_POST')
  await world.database.query('update user_account set role = 400 where id = $1', [rosa.user_id])
})

/** Waits until a statement with this text waits for a lock. */
const waitsForLock = (text: string) =>
  eventually(async () => {
    const waiting = await world.database.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
         and query like $1`,
      [`%${text}%`],
    )
    return waiting.length > 0
  })

test('a send that waits while its sender is removed from the group is refused', async () => {
  const stream = await makeStream()
  const group = await makeGroup(owner, 'writers in a race', rosa)
  await give(stream, 'can_send_message_group', value([], group))
  // Fills the cache of preconditions.
  for (const content of ['one', 'two']) await sendToStream(rosa, stream, 'roses', content)
  const late = await inTransaction(world.nodes.b.app.db, async (tx) => {
    // The removal waits for this transaction, and the send for the removal.
    await sql`select from user_group where id = ${group} for update`.execute(tx)
    const removal = removeMembers(owner, group, rosa)
    await waitsForLock('from "user_group"')
    const attempt = outcomeOf(sendToStream(rosa, stream, 'roses', 'late'))
    await waitsForLock('send_message')
    return { removal, attempt }
  })

  await late.removal
  assert.equal(await late.attempt, 'NOT_ALLOWED_TO_POST')
})
