import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PermissionRule, PostPolicy, type StreamId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { checkExplanation, outcomeOf, type PermissionQuery } from '@oxbow/testkit/calls/permissions'
import { isTried } from '@oxbow/testkit/size'

const kinds = ['public', 'private', 'protected', 'archived'] as const
const memberships = ['in', 'left', 'never'] as const

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [insider, outsider] = await world.people('insider', 'outsider')
const people: Record<string, Person> = {
  owner: await world.person('otis', 'owner'),
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  'new member': await world.person('nell'),
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', outsider),
  'bot of an insider': await world.bot('wren', insider),
}
await setOrganizationRules(world, 'waiting_period_threshold = 3')
await world.database.query(
  `update user_account set date_joined = now() - interval '9 days' where full_name not like 'Nell%'`,
)
const everyone = Object.values(people).map(({ user_id }) => user_id)
let made = 0

interface TestStream extends MadeStream {
  /** Id of a message that was sent when only the insider was subscribed. */
  early: number
}

async function makeStream(
  kind: (typeof kinds)[number],
  membership: (typeof memberships)[number],
): Promise<TestStream> {
  const { subscriptions, streams } = world.owner
  const name = `stream ${++made}`
  const stream = await world.stream(name, {
    members: [world.owner, insider],
    invite_only: kind === 'private' || kind === 'protected',
    history_public_to_subscribers: kind !== 'protected',
  })
  const early = await sendToStream(insider, stream, 'roses')
  if (membership !== 'never')
    await subscriptions.subscribe({ subscriptions: [{ name }], principals: everyone })
  if (membership === 'left') await subscriptions.unsubscribe({ subscriptions: [name], principals: everyone })
  if (kind !== 'archived') return { ...stream, early }
  await streams.archive({ stream_id: stream.stream_id })
  return { ...stream, early, name: `!DEACTIVATED:${name}` }
}

async function sees(person: Person, { stream_id }: TestStream): Promise<string> {
  const state = await person.events.register({ fetch_event_types: ['subscription'] })
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const shown: readonly { stream_id: StreamId }[] = [...subscriptions, ...unsubscribed, ...never_subscribed]
  return shown.some((stream) => stream.stream_id === stream_id) ? 'ok' : 'not there'
}

type Attempt = [
  action: PermissionQuery['action'],
  doIt: (person: Person, stream: TestStream) => Promise<string>,
  /** Settings changed before the action. */
  setting?: (stream: TestStream) => Promise<unknown>,
]

const posting = (policy: PostPolicy): Attempt => [
  'post',
  (person, { stream_id }) =>
    outcomeOf(person.messages.send({ type: 'stream', to: stream_id, topic: 'weather', content: 'Sunny.' })),
  ({ stream_id }) =>
    world.database.query('update stream set stream_post_policy = $2 where id = $1', [stream_id, policy]),
]
const adding = (policy: number): Attempt => [
  'add_subscribers',
  (person, { name }) =>
    outcomeOf(person.subscriptions.subscribe({ subscriptions: [{ name }], principals: [outsider.user_id] })),
  () => setOrganizationRules(world, `invite_to_stream_policy = ${policy}`),
]

/** Actions, ordered so that no action affects a later one. */
const attempts: Attempt[] = [
  ['see_stream', sees],
  ['read_history', (person, { early }) => outcomeOf(person.messages.getRaw({ message_id: early as never }))],
  posting(PostPolicy.administrators),
  posting(PostPolicy.fullMembers),
  posting(PostPolicy.everyone),
  adding(1),
  adding(2),
  adding(3),
  [
    'edit_stream',
    (person, { stream_id }) => outcomeOf(person.streams.update({ stream_id, description: 'Other' })),
  ],
  [
    'subscribe',
    (person, { name }) => outcomeOf(person.subscriptions.subscribe({ subscriptions: [{ name }] })),
  ],
]

const rules = new Set<PermissionRule>()

for (const [kindIndex, kind] of kinds.entries()) {
  for (const [membershipIndex, membership] of memberships.entries()) {
    test(`explained permissions in a ${kind} stream match the outcome for membership "${membership}"`, async () => {
      const stream = await makeStream(kind, membership)
      const { stream_id } = stream
      for (const [action, doIt, setting] of attempts) {
        await setting?.(stream)
        for (const [personIndex, [name, person]] of Object.entries(people).entries()) {
          if (!isTried(kindIndex, membershipIndex, personIndex)) continue
          const attempt = () => doIt(person, stream)
          rules.add(await checkExplanation(world, person, { action, stream_id }, attempt, name))
        }
      }
    })
  }
}

test('the explained permission to archive a stream matches the outcome', async () => {
  for (const kind of ['public', 'private', 'archived'] as const) {
    let stream: TestStream | undefined
    for (const [name, person] of Object.entries(people)) {
      stream ??= await makeStream(kind, 'never')
      const { stream_id } = stream
      const attempt = async () => {
        const outcome = await outcomeOf(person.streams.archive({ stream_id }))
        // A refused attempt leaves the stream unchanged, for the next person.
        if (outcome === 'ok') stream = undefined
        return outcome
      }
      rules.add(await checkExplanation(world, person, { action: 'archive_stream', stream_id }, attempt, name))
    }
  }
})

test('the explained permission to create streams matches the outcome under each policy', async () => {
  for (const policy of [1, 2, 3]) {
    await setOrganizationRules(world, `create_stream_policy = ${policy}`)
    for (const [name, person] of Object.entries(people)) {
      const subscriptions = [{ name: `stream ${++made}` }]
      const attempt = () => outcomeOf(person.subscriptions.subscribe({ subscriptions }))
      rules.add(
        await checkExplanation(world, person, { action: 'create_stream' }, attempt, `${name}, ${policy}`),
      )
    }
  }
})

test('the cases cover every rule about streams', () => {
  const expected: PermissionRule[] = [
    'administrator',
    'administrators_post',
    'bot_owner_in_stream',
    'full_members_post',
    'guest_outside_stream',
    'history_protected',
    'in_stream',
    'must_be_administrator',
    'not_for_guests',
    'policy_administrators',
    'policy_full_members',
    'policy_members',
    'stream_archived',
    'stream_private',
    'stream_public',
    'waiting_period',
    'was_in_stream',
  ]
  assert.deepEqual([...rules].sort(), expected)
})
