import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type ApiError, PostPolicy } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const people = {
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  'new member': await world.person('nell'),
  guest: await world.person('gus', 'guest'),
}
await world.database.query('update organization set waiting_period_threshold = 3')
const joined = (person: Person, days: number) =>
  world.database.query(
    `update user_account set date_joined = now() - $2::float8 * interval '1 day' where id = $1`,
    [person.user_id, days],
  )
for (const person of Object.values(people)) await joined(person, 3.1)
await joined(people['new member'], 2.9)

/** Returns `yes` or the error message of the refusal. */
async function tryToPost(person: Person, stream: MadeStream, policy: PostPolicy): Promise<string> {
  await world.database.query('update stream set stream_post_policy = $2 where id = $1', [
    stream.stream_id,
    policy,
  ])
  return sendToStream(person, stream, 'weather').then(
    () => 'yes',
    ({ status, body }: ApiError) => {
      const code = body.msg.endsWith('does not exist') ? 'STREAM_DOES_NOT_EXIST' : 'BAD_REQUEST'
      assert.deepEqual([status, body.code], [400, code])
      return body.msg
    },
  )
}

const texts = {
  admins: 'Only organization administrators can send to this stream.',
  new: 'New members cannot send to this stream.',
  unknown: (name: string) => `Stream '${name}' does not exist`,
  unauthorized: (name: string) => `Not authorized to send to stream '${name}'`,
}
const { everyone, administrators, fullMembers } = PostPolicy

/**
 * Expected results for bots that are not subscribed to the stream, so that only the owner's rights
 * matter.
 */
const bots: [owner: string, policy: PostPolicy, kind: 'public' | 'private', answer: string][] = [
  ['administrator', administrators, 'public', 'yes'],
  ['administrator', administrators, 'private', texts.unauthorized('bot 1')],
  ['administrator who is subscribed', administrators, 'private', 'yes'],
  ['member', administrators, 'public', texts.admins],
  ['member who is subscribed', administrators, 'private', texts.admins],
  ['member who is subscribed', everyone, 'private', 'yes'],
  ['member who is subscribed', fullMembers, 'private', 'yes'],
  ['member', everyone, 'private', texts.unknown('bot 7')],
  ['new member', fullMembers, 'public', texts.new],
  ['new member', everyone, 'public', 'yes'],
  ['guest who is subscribed', everyone, 'private', 'yes'],
]

for (const [index, [owner, policy, kind, answer]] of bots.entries()) {
  test(`posting of a bot to a ${kind} stream with policy ${policy}, if its owner is a ${owner}, gives: ${answer}`, async () => {
    const botOwner = people[owner.replace(' who is subscribed', '') as keyof typeof people]
    const bot = await world.bot(`helper${index}`, botOwner)
    await joined(bot, 3.1)
    const members = owner.endsWith('who is subscribed') ? [world.owner, botOwner] : [world.owner]
    const stream = await world.stream(`bot ${index}`, { members, invite_only: kind === 'private' })

    assert.equal(await tryToPost(bot, stream, policy), answer)
  })
}

test('a new bot has the restrictions of a new member, unless its owner is an administrator', async () => {
  const bot = await world.bot('young', people.member)
  const favoured = await world.bot('favoured', people.administrator)
  const stream = await world.stream('for the old')

  assert.equal(await tryToPost(bot, stream, fullMembers), texts.new)
  assert.equal(await tryToPost(favoured, stream, fullMembers), 'yes')
})

test('a bot whose owner left a private stream may post there only if the bot is subscribed', async () => {
  const bot = await world.bot('loyal', people.member)
  const stream = await world.stream('club', { members: [world.owner, people.member], invite_only: true })
  assert.equal(await tryToPost(bot, stream, everyone), 'yes')

  await people.member.subscriptions.unsubscribe({ subscriptions: ['club'] })
  assert.equal(await tryToPost(bot, stream, everyone), texts.unauthorized('club'))
  await world.owner.subscriptions.subscribe({ subscriptions: [{ name: 'club' }], principals: [bot.user_id] })

  assert.equal(await tryToPost(bot, stream, everyone), 'yes')
})

test('posting to an invisible stream by id gives the same error as an unknown id', async () => {
  const hill = await world.addOrganization('hill')
  await hill.owner.subscriptions.subscribe({ subscriptions: [{ name: 'heights' }] })
  const { stream_id: foreign } = await hill.owner.streams.getId({ stream: 'heights' })
  const { stream_id: hidden } = await world.stream('cellar', { invite_only: true })
  const { stream_id: gone } = await world.stream('attic')
  await world.owner.streams.archive({ stream_id: gone })

  for (const stream_id of [foreign, hidden, gone, 999_999])
    await assert.rejects(
      people.member.messages.send({ type: 'stream', to: stream_id, topic: 'weather', content: 'Sunny.' }),
      refusal(`Stream with ID '${stream_id}' does not exist`, { code: 'STREAM_DOES_NOT_EXIST', stream_id }),
    )
})
