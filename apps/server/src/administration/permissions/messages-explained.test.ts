import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, PermissionRule, StreamId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { checkExplanation, outcomeOf } from '@oxbow/testkit/calls/permissions'
import { isTried } from '@oxbow/testkit/size'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const people: Record<string, Person> = {
  owner: await world.person('otis', 'owner'),
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', owner),
}
const everyone = [owner, iris, ...Object.values(people)]
const garden = await world.stream('garden', { members: everyone })
const pond = await world.stream('pond', { members: [owner] })
const vault = await world.stream('vault', { members: everyone, invite_only: true })
const compost = await world.stream('compost')
await owner.streams.archive({ stream_id: compost.stream_id })
const targets = [pond, vault, compost].map(({ stream_id }) => stream_id as number).concat(987_654)
const hour = 3_600
const day = 24 * hour

/** Settings of the cases. Each case also keeps the settings of the cases before it. */
const settings = {
  'everything allowed':
    'allow_message_editing = true, message_content_edit_limit_seconds = 0, allow_community_topic_editing = true, allow_message_deleting = true, message_content_delete_limit_seconds = 0',
  'editing and deleting limited to ten minutes':
    'message_content_edit_limit_seconds = 600, message_content_delete_limit_seconds = 600',
  'no community topic editing': 'allow_community_topic_editing = false',
  'no deleting': 'allow_message_deleting = false',
  'no editing': 'allow_message_editing = false',
}
const rules = new Set<PermissionRule>()
let round = 0

/**
 * Tries all actions on a message. The actions are ordered so that each leaves the message available
 * for the next.
 */
async function tryAll(name: string, person: Person, message_id: MessageId): Promise<void> {
  const stream_id = targets[round++ % targets.length] as StreamId
  const edit = (params: object) => () => outcomeOf(person.messages.edit({ message_id, ...params }))
  const attempts = [
    [{ action: 'edit_message', message_id }, edit({ content: `Other ${round}.` })],
    [{ action: 'move_message', message_id, stream_id }, edit({ stream_id })],
    [{ action: 'edit_topic', message_id }, edit({ topic: `tulips ${round}` })],
    [{ action: 'delete_message', message_id }, () => outcomeOf(person.messages.remove({ message_id }))],
  ] as const
  for (const [question, attempt] of attempts)
    rules.add(await checkExplanation(world, person, question, attempt, name))
}

for (const [settingIndex, [settingName, setting]] of Object.entries(settings).entries()) {
  test(`explained permissions match the outcome of message actions (${settingName})`, async () => {
    await setOrganizationRules(world, setting)
    for (const [personIndex, [name, person]] of Object.entries(people).entries()) {
      const cases: { label: string; seconds: number; id: MessageId }[] = []
      for (const [ageIndex, seconds] of [0, hour, 3 * day].entries()) {
        for (const [senderIndex, sender] of [person, iris].entries()) {
          if (!isTried(settingIndex, personIndex, ageIndex, senderIndex)) continue
          // The gate tries every second case, so neither may depend on the same sum of indexes as that choice.
          const topic = (settingIndex + personIndex + ageIndex) % 3 === 0 ? '(no topic)' : 'roses'
          const stream = (personIndex + ageIndex) % 2 === 0 ? garden : vault
          const id = await sendToStream(sender, stream, topic)
          cases.push({ label: `${name}, ${seconds} s, ${sender === person ? 'own' : "iris's"}`, seconds, id })
        }
      }
      // One statement for several messages, because each write by SQL invalidates the caches of the nodes.
      await world.database.query(
        `update message set sent_at = now() - make_interval(secs => seconds)
         from unnest($1::bigint[], $2::int[]) as given (message_id, seconds) where id = message_id`,
        [cases.map(({ id }) => id), cases.map(({ seconds }) => seconds)],
      )
      for (const { label, id } of cases) await tryAll(label, person, id)
    }
  })
}

test('explained permissions match the outcome for messages that only some users can read', async () => {
  await setOrganizationRules(world, settings['everything allowed'])
  const hidden = await sendToStream(owner, pond, 'roses')
  const { member, guest } = people as { member: Person; guest: Person }
  await tryAll('guest', guest, hidden)
  const secret = await sendPrivately(iris, [member])

  const question = { action: 'edit_message', message_id: secret, user_id: iris.user_id } as const
  const refused = { errorName: 'INVALID_MESSAGE' }
  await assert.rejects(owner.permissions.explain(question), refused)
  const { allowed, rule: why } = await iris.permissions.explain(question)
  assert.deepEqual([allowed, why], [true, 'own_message'])
  const own = await owner.permissions.explain({ ...question, user_id: owner.user_id })
  assert.equal(own.rule, 'message_unknown')
})

test('the explained permission to send private messages matches the outcome', async () => {
  const gone = await world.person('gone')
  await owner.users.deactivate({ user_id: gone.user_id })
  const others = [iris, people.bot as Person, gone]
  for (const policy of [1, 2]) {
    await setOrganizationRules(world, `private_message_policy = ${policy}`)
    for (const [name, person] of Object.entries(people)) {
      for (const { user_id: other_user_id } of [...others, person]) {
        const question = { action: 'send_private_message', other_user_id } as const
        const attempt = () =>
          outcomeOf(person.messages.send({ type: 'private', to: [other_user_id], content: 'Sunny.' }))
        rules.add(await checkExplanation(world, person, question, attempt, `${name}, ${policy}`))
      }
    }
  }
})

test('the cases cover every rule about messages', () => {
  const expected: PermissionRule[] = [
    'administrator',
    'community_topics',
    'delete_time_over',
    'deleting_disabled',
    'edit_time_over',
    'editing_disabled',
    'message_unknown',
    'must_be_moderator',
    'others_message',
    'own_message',
    'private_messages_allowed',
    'private_messages_disabled',
    'recipient_deactivated',
    'stream_archived',
    'stream_unknown',
    'streams_not_public',
    'topic_unnamed',
    'with_bot',
  ]
  assert.deepEqual([...rules].sort(), expected)
})
