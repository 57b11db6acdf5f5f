import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, type InvitationId, type UserId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { pngOf, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { makeGroup } from '@oxbow/testkit/calls/user-groups'

const limit = 3
/** One more than `limit`, because the stream `pond`, to which people are invited, already exists. */
const streamLimit = limit + 1
/** One more than `limit`, because the group `Growers` already exists, with one member. */
const groupLimit = limit + 1
const memberLimit = limit + 1
/** Each stored entry has a key and a value of one character. */
const storageLimit = limit * 2

const world = await startWorld({
  config: {
    bots_per_person: limit,
    streams_per_organization: streamLimit,
    emoji_per_organization: limit,
    groups_per_organization: groupLimit,
    group_members_per_organization: memberLimit,
    bot_storage_characters: storageLimit,
    invitation_resends_per_day: limit,
  },
})
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const names = [...'abcdefgh']
const crowd = new Map((await world.people(...names)).map(({ user_id }, index) => [names[index], user_id]))
const growers = await makeGroup(iris, 'Growers', iris)
const pond = await world.stream('pond')
await iris.invitations.send({ invitee_emails: 'new@x.example', stream_ids: [pond.stream_id] })
const [invitation] = (await iris.invitations.list()).invites
const invite_id = invitation?.id as InvitationId

const addBot = (by: Client, name: string) => by.bots.create({ full_name: `Bot ${name}`, short_name: name })
const addStream = (by: Client, name: string) => by.subscriptions.subscribe({ subscriptions: [{ name }] })
const addEmoji = (by: Client, emoji_name: string) =>
  by.emoji.upload({ emoji_name, files: [{ name: 'x.png', bytes: pngOf(8, 8) }] })
const addGroup = (by: Client, name: string) => by.userGroups.create({ name, description: '' })
const addMember = (by: Client, name: string) =>
  by.userGroups.changeMembers({ user_group_id: growers, add: [crowd.get(name) ?? otto.user_id] })
const store = (by: Client, key: string) => by.botStorage.write({ storage: { [key]: 'x' } })
const resend = (by: Client) => by.invitations.resend({ invite_id })

const tooManyBots = refusal(`Too many bots of one owner, deactivated ones included (limit: ${limit})`)
const tooManyStreams = refusal(`Too many streams in this organization (limit: ${streamLimit})`)
const tooManyEmoji = refusal(
  `Too many custom emoji in this organization, deactivated ones included (limit: ${limit})`,
)
const tooManyGroups = refusal(`Too many user groups in this organization (limit: ${groupLimit})`)
const tooManyMembers = refusal(
  `The user groups of this organization have too many members together (limit: ${memberLimit})`,
)
const storageFull = refusal(
  `Request exceeds storage limit by 2 characters. The limit is ${storageLimit} characters.`,
)
const resentTooOften = refusal(
  `This invitation was sent again ${limit} times in the last 24 hours; try again tomorrow`,
)

type Add = (by: Client, name: string) => Promise<unknown>
const limited: [what: string, add: Add, refused: ReturnType<typeof refusal>][] = [
  ['bots of one person', addBot, tooManyBots],
  ['streams of an organization', addStream, tooManyStreams],
  ['custom emoji of an organization', addEmoji, tooManyEmoji],
  ['user groups of an organization', addGroup, tooManyGroups],
  ['members of all user groups', addMember, tooManyMembers],
  ['texts in the storage of one account', store, storageFull],
  ['resends of one invitation', resend, resentTooOften],
]

for (const [what, add, refused] of limited) {
  test(`${what} stay within the limit when two nodes get concurrent requests`, async () => {
    const outcomes = await Promise.allSettled(
      names.map((name, index) => add(iris.on(index % 2 === 0 ? 'a' : 'b'), name)),
    )
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    for (const reason of reasons) {
      assert.ok(reason instanceof ApiError, String(reason))
      assert.deepEqual({ status: reason.status, body: reason.body }, refused)
    }
    assert.equal(outcomes.length - reasons.length, limit)
    await assert.rejects(add(iris, 'z'), refused)
  })
}

test('deactivated bots count towards the limit, and no person is given more bots than allowed', async () => {
  const [first] = (await world.database.query<{ id: UserId }>(
    'select id::int from user_account where bot_owner_id = $1 order by id',
    [iris.user_id],
  )) as [{ id: UserId }]
  const { user_id } = await addBot(otto, 'otto')
  const giveBot = (bot_id: UserId, to: UserId) => owner.bots.update({ bot_id, bot_owner_id: to })
  await assert.rejects(giveBot(user_id as UserId, iris.user_id), tooManyBots)
  await giveBot(first.id, otto.user_id)
  const { user_id: last } = await addBot(iris, 'last')
  await iris.bots.deactivate({ bot_id: last as UserId })
  await assert.rejects(addBot(iris, 'more'), tooManyBots)
})

test('archiving a stream makes room for another, and existing streams can be joined at the limit', async () => {
  await addStream(otto, 'pond')
  await owner.streams.archive({ stream_id: pond.stream_id })
  const two = { subscriptions: [{ name: 'well' }, { name: 'lake' }] }
  await assert.rejects(otto.subscriptions.subscribe(two), tooManyStreams)
  await addStream(otto, 'well')
  await assert.rejects(addStream(otto, 'lake'), tooManyStreams)
})

test('deactivated custom emoji count towards the limit', async () => {
  const [emoji] = Object.values((await iris.emoji.list()).emoji)
  await iris.emoji.deactivate({ emoji_name: emoji?.name ?? '' })
  await assert.rejects(addEmoji(iris, 'z'), tooManyEmoji)
})

test('removing a user group makes room for another', async () => {
  const [group] = (await iris.userGroups.list()).user_groups
  assert.ok(group)
  await owner.userGroups.remove({ user_group_id: group.id })
  await addGroup(otto, 'z')
  await assert.rejects(addGroup(otto, 'y'), tooManyGroups)
})

test('entries of a full storage can be replaced and removed, and other bots have separate storage', async () => {
  const [key = ''] = Object.keys((await iris.botStorage.read()).storage)
  await store(iris, key)
  await iris.botStorage.remove({ keys: [key] })
  await store(iris, 'z')
  await store(otto, 'z')
})

test('an invitation can be sent again a day later', async () => {
  await world.database.query(
    `update invitation set resent_at = array(select at - interval '25 hours' from unnest(resent_at) as at)`,
  )
  for (let times = 0; times < limit; times++) await resend(iris)
  await assert.rejects(resend(iris), resentTooOften)
  const [row] = await world.database.query<{ times: number }>(
    'select cardinality(resent_at) as times from invitation',
  )
  assert.equal(row?.times, limit)
})
