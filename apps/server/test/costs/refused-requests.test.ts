import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Endpoint,
  listEndpoints,
  maxArrangedStreams,
  maxMembersPerRequest,
  maxProfileFields,
  maxSubgroupsPerRequest,
  type Params,
} from '@oxbow/contract'
import { schemaOf } from '@oxbow/contract/openapi'
import { type Person, pngOf, request, startWorld, type World } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { makeGroup } from '@oxbow/testkit/calls/user-groups'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import { buildRequest } from './build-request.ts'
import { fill, formula, repeat, requestBytes } from './costly-texts.ts'
import { type MeasuredNode, referenceUnitMs, startMeasuredNode } from './start-measured-node.ts'

/** Requests per measurement. The fastest counts, because other work of the node and the machine only adds time. */
const repetitions = bySize({ gate: 3, long: 5 })
/** A measurement is repeated if it fails, because the node may have compiled code or done other work meanwhile. */
const maxAttempts = 4
/**
 * Milliseconds of processor time that a refusal may take besides: some statements, and an error. On a machine on which
 * `calibrate` returns more than `referenceUnitMs`, it is more accordingly.
 */
const fixedMs = 10

let world: World
let node: MeasuredNode
let member: Person
let fixtures: Awaited<ReturnType<typeof makeFixtures>>

before(async () => {
  world = await startWorld({
    ownServer: true,
    config: { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost' },
  })
  member = await world.person('member')
  fixtures = await makeFixtures()
  await setOrganizationRules(
    world,
    `create_stream_policy = 2, user_group_edit_policy = 2, bot_creation_policy = 3, invite_to_stream_policy = 2,
     private_message_policy = 2, invite_by_admins_only = true, add_emoji_by_admins_only = true,
     avatar_changes_disabled = true, name_changes_disabled = true, email_changes_disabled = true`,
  )
  node = await startMeasuredNode(world, { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost' })
})
after(async () => {
  await node[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

/** Creates objects that the member may not use. */
async function makeFixtures() {
  const { owner } = world
  const closed = await world.stream('closed', { invite_only: true })
  const open = await world.stream('open', { stream_post_policy: 2 })
  const message_id = await sendToStream(owner, closed, 'roses')
  const public_message_id = await sendToStream(owner, open, 'roses')
  const user_group_id = await makeGroup(owner, 'Growers')
  const bot = await world.bot('hook', owner, 2)
  const scheduled_message_id = await schedule(owner, { to: open.stream_id })
  const draft = { type: '', to: [], topic: '', content: 'Prune' }
  const [draft_id] = (await owner.drafts.create({ drafts: [draft] })).ids
  const { queue_id } = await owner.events.register({ fetch_event_types: [] })
  const administrator = await world.person('administrator', 'administrator')
  const fields = await world.database.query<{ id: number }>(
    `insert into profile_field (organization_id, name, type, hint, field_data, position)
     select $1, 'Story ' || n, 2, '', '', n from generate_series(1, $2::int) n returning id::int`,
    [world.organization_id, maxProfileFields],
  )
  return {
    closed: closed.stream_id,
    open: open.stream_id,
    message_id,
    public_message_id,
    user_group_id,
    bot_id: bot.user_id,
    bot,
    scheduled_message_id,
    draft_id,
    queue_id,
    administrator,
    field_ids: fields.map(({ id }) => id),
  }
}

const long = (text = 'x') => repeat(text, requestBytes)
const picture = () => ({ files: [{ name: 'x.png', bytes: pngOf(2_000, 2_000) }] })
const content = repeat(formula, 9_900)
const ids = (count?: number) => fill((index) => 1_000_000 + index, count)

/** Parameters of a costly request, and how the text of its error begins. */
type Attempt = [params: () => object, error: string, by?: () => Person]

const everyone = 'everyone may do this'
const administers = () => fixtures.administrator

/**
 * The costliest request that a caller without the right can send to each endpoint that takes texts, lists or files, or
 * the reason why there is none. Roles that an endpoint declares in the contract are checked before the request is read.
 */
const attempts: Record<string, Attempt | string> = {
  'authentication.devFetchApiKey': 'strangers send at most 32 KB',
  'authentication.fetchApiKey': 'strangers send at most 32 KB',
  'sessions.create': 'strangers send at most 32 KB',
  'reports.reportError': everyone,
  'organization.update': [
    () => ({ description: repeat(formula, 990), message_retention_days: 30 }),
    'Must be an organization owner',
    administers,
  ],
  'users.updateSettings': [() => ({ new_password: long('a1B? '), old_password: 'wrong' }), 'Wrong password!'],
  'users.create': 'administrators',
  'users.regenerateApiKey': 'a key allows it, and a session needs the password',
  'users.setAvatar': [picture, 'Avatar changes are disabled in this organization.'],
  'users.setProfileData': [
    () => ({
      data: fill((id) => ({ id: 1_000_000 + id, value: long('x').slice(0, 9_000) }), maxProfileFields),
    }),
    'Field id ',
  ],
  'users.clearProfileData': [() => ({ data: ids(maxProfileFields) }), 'Field id '],
  'users.update': [
    () => ({
      user_id: world.owner.user_id,
      role: 400,
      profile_data: fixtures.field_ids.map((id) => ({ id, value: repeat(formula, 490) })),
    }),
    'Must be an organization owner',
    administers,
  ],
  'invitations.send': [
    () => ({ invitee_emails: fill((index) => `a${index}@x.example`).join(), stream_ids: [fixtures.open] }),
    'Must be an organization administrator',
  ],
  'invitations.createLink': 'administrators',
  'bots.create': [
    () => ({
      full_name: 'Robin',
      short_name: 'robin',
      config_data: { long: long() },
      ...picture(),
    }),
    'Must be an organization administrator',
  ],
  'bots.update': [
    () => ({ bot_id: fixtures.bot_id, config_data: { long: long() }, ...picture() }),
    'Insufficient permission',
  ],
  'botStorage.read': everyone,
  'botStorage.write': everyone,
  'botStorage.remove': everyone,
  'settings.updateDisplay': everyone,
  'settings.updateNotifications': everyone,
  'settings.dismissHotspot': everyone,
  'settings.setTutorialStatus': everyone,
  'settings.runCommand': everyone,
  'userStatus.set': everyone,
  'alertWords.add': everyone,
  'alertWords.remove': everyone,
  'devices.addAndroid': everyone,
  'devices.removeAndroid': [() => ({ token: repeat('x', 4_000) }), 'Token does not exist'],
  'devices.addApple': everyone,
  'devices.removeApple': [() => ({ token: repeat('abcd', 4_000) }), 'Token does not exist'],
  'profileFields.create': 'administrators',
  'profileFields.reorder': 'administrators',
  'profileFields.update': 'administrators',
  'domains.add': 'administrators',
  'organizationPictures.setIcon': 'administrators',
  'organizationPictures.setLogo': 'administrators',
  'linkifiers.add': 'administrators',
  'emoji.upload': [() => ({ emoji_name: 'rose', ...picture() }), 'Must be an organization administrator'],
  'userGroups.create': [
    () => ({ name: 'Weeders', description: '', members: ids(maxMembersPerRequest) }),
    'Must be an organization administrator',
  ],
  'userGroups.update': [
    () => ({ user_group_id: fixtures.user_group_id, description: 'x' }),
    'Must be an organization administrator',
  ],
  'userGroups.changeMembers': [
    () => ({ user_group_id: fixtures.user_group_id, add: ids(maxMembersPerRequest) }),
    'Must be an organization administrator',
  ],
  'userGroups.changeSubgroups': [
    () => ({ user_group_id: fixtures.user_group_id, add: ids(maxSubgroupsPerRequest) }),
    'Must be an organization administrator',
  ],
  'streams.getId': [() => ({ stream: repeat('x', 8_000) }), "Invalid stream name '"],
  'streamFolders.create': 'administrators',
  'streamFolders.update': 'administrators',
  'streamFolders.reorder': 'administrators',
  'streamSections.set': [
    () => ({
      stream_sections: [
        { kind: 'own', name: 'Beds', stream_ids: ids(maxArrangedStreams - 1) },
        { kind: 'own', name: 'Sheds', stream_ids: ids(1) },
      ],
    }),
    'Stream 1000000 is listed twice',
  ],
  'streams.update': [
    () => ({ stream_id: fixtures.open, description: repeat(formula, 1_024), message_retention_days: 5 }),
    'Must be an organization owner',
    administers,
  ],
  'streams.deleteTopic': 'administrators',
  'subscriptions.subscribe': [
    () => ({
      subscriptions: fill(
        (index) => ({ name: `new ${index}`, description: `${index} ${repeat(formula, 900)}` }),
        1_000,
      ),
    }),
    'User cannot create streams.',
  ],
  'subscriptions.change': [
    () => ({
      add: fill(
        (index) => ({ name: `new ${index}`, description: `${index} ${repeat(formula, 900)}` }),
        1_000,
      ),
    }),
    'User cannot create streams.',
  ],
  'subscriptions.unsubscribe': [
    () => ({ subscriptions: ['open'], principals: ids() }),
    'This action requires administrative rights',
  ],
  'subscriptions.muteTopic': [
    () => ({ stream_id: fixtures.closed, topic: 'x'.repeat(60), op: 'add' }),
    'Invalid stream id',
  ],
  'subscriptions.setAttention': [
    () => ({ stream_id: fixtures.closed, topic: 'x'.repeat(60), visibility_policy: 3 }),
    'Invalid stream id',
  ],
  'subscriptions.setProperties': [
    () => ({
      subscription_data: fill(
        () => ({ stream_id: fixtures.closed, property: 'color', value: repeat('#', 900) }),
        1_000,
      ),
    }),
    'Invalid stream id',
  ],
  'subscriptions.setProperty': [
    () => ({ stream_id: fixtures.closed, property: 'color', value: long() }),
    'Invalid stream id',
  ],
  'defaultStreams.createGroup': 'administrators',
  'defaultStreams.updateGroup': 'administrators',
  'defaultStreams.changeGroupStreams': 'administrators',
  'messages.markTopicRead': [() => ({ stream_id: fixtures.closed, topic_name: long() }), 'Invalid stream id'],
  'messages.list': 'a narrow is limited (costly-narrows.test.ts)',
  'messages.matchesNarrow': 'a narrow is limited (costly-narrows.test.ts)',
  'messages.send': [
    () => ({ type: 'stream', to: fixtures.open, topic: 'roses', content }),
    'Only organization administrators can send to this stream.',
  ],
  'messages.changeFlags': [
    () => ({ messages: fill((index) => 1_000_000 + index, 50_000), op: 'add', flag: 'starred' }),
    'Invalid message(s)',
  ],
  'messages.render': everyone,
  'messages.edit': [
    () => ({ message_id: fixtures.public_message_id, content }),
    "You don't have permission to edit this message",
  ],
  'messages.addReaction': [
    () => ({ message_id: fixtures.message_id, emoji_name: long() }),
    'Invalid message(s)',
  ],
  'messages.removeReaction': [
    () => ({ message_id: fixtures.message_id, emoji_name: long() }),
    'Invalid message(s)',
  ],
  'messages.addSubmessage': [
    () => ({
      message_id: fixtures.message_id,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: fill((index) => index, 1_500) }),
    }),
    'Invalid message(s)',
  ],
  'drafts.create': [
    () => ({
      drafts: fill(
        () => ({ type: 'stream', to: [fixtures.closed], topic: 'roses', content: repeat('x', 9_500) }),
        100,
      ),
    }),
    'Invalid stream id',
  ],
  'drafts.edit': [
    () => ({ draft_id: fixtures.draft_id, draft: { type: '', to: [], topic: '', content } }),
    'Draft does not exist',
  ],
  'uploads.findTemporaryLink': [
    () => ({ realm_id_str: '1', filename: repeat('x', 8_000) }),
    'File not found.',
  ],
  'uploads.upload': everyone,
  'scheduledMessages.create': [
    () => ({
      type: 'stream',
      to: fixtures.open,
      topic: 'roses',
      content,
      scheduled_delivery_timestamp: nextWeek(),
    }),
    'Only organization administrators can send to this stream.',
  ],
  'scheduledMessages.edit': [
    () => ({ scheduled_message_id: fixtures.scheduled_message_id, content }),
    'Scheduled message does not exist',
  ],
  'webhooks.deliver': 'the key is the right; large-deliveries.test.ts',
  'presence.report': everyone,
  'presence.listOf': everyone,
  'typing.tell': [() => ({ op: 'start', to: ids() }), 'Too many recipients (limit: '],
  'typing.tellShort': [() => ({ op: 'start', to: ids() }), 'Too many recipients (limit: '],
  'permissions.explain': [
    () => ({ user_id: world.owner.user_id, action: 'post', stream_id: fixtures.closed }),
    'Insufficient permission',
  ],
  'reports.sendTimes': everyone,
  'events.poll': everyone,
  'events.deleteQueue': [
    () => ({ queue_id: fixtures.queue_id }),
    'You are not authorized to access this queue',
  ],
  'events.register': everyone,
}

/** Returns whether the size of a request depends on its sender. */
function takesTexts({ params, files }: Endpoint): boolean {
  return (
    files !== undefined ||
    Object.values(params as Params).some(
      ({ location, schema }) =>
        location === 'arguments' && /"(string|array|object)"/.test(JSON.stringify(schemaOf(schema, 'input'))),
    )
  )
}

test('every endpoint that takes texts, lists or files has an attempt in this file', () => {
  const expected = listEndpoints().filter(({ endpoint }) => takesTexts(endpoint))
  assert.deepEqual(new Set(Object.keys(attempts)), new Set(expected.map(({ name }) => name)))
})

test('every endpoint without an attempt that is for administrators declares so in the contract', () => {
  for (const { name, endpoint } of listEndpoints())
    if (attempts[name] === 'administrators') assert.ok(endpoint.only?.includes('administrators'), name)
})

const possible = Object.entries(attempts).filter((entry): entry is [string, Attempt] =>
  Array.isArray(entry[1]),
)

test('every attempt is refused because the caller lacks the right', async () => {
  await node.refuseAll(false)
  for (const [name, [makeParams, error, by]] of possible) {
    const { text } = await request(node.url, buildRequest(name, makeParams(), by?.() ?? member))
    assert.ok(text.includes(error), `${name}: ${text.slice(0, 200)}`)
  }
})

/** The endpoint with the costliest request is always tried. */
const isAlwaysTried = ([name]: [string, Attempt]) => name === 'subscriptions.subscribe'
const tried = [
  ...possible.filter(isAlwaysTried),
  ...sampleInGate(
    possible.filter((entry) => !isAlwaysTried(entry)),
    5,
  ),
]

for (const [name, [makeParams, error, by]] of tried) {
  test(`${name} refuses a costly request for hardly more than its decoding costs`, async (t) => {
    const costly = buildRequest(name, makeParams(), by?.() ?? member)
    const call = async (expected: string) => {
      const { text } = await request(node.url, costly)
      assert.ok(text.includes(expected), text.slice(0, 200))
    }
    const measure = async (refuses: boolean) => {
      await node.refuseAll(refuses)
      const { processorMs } = await node.measure(() =>
        call(refuses ? 'User not authorized for this query' : error),
      )
      return processorMs
    }
    for (let attempt = 1; ; attempt++) {
      const [decoding, refusing]: [number[], number[]] = [[], []]
      for (let number = 0; number < repetitions; number++) {
        decoding.push(await measure(true))
        refusing.push(await measure(false))
      }
      const [decodingMs, refusingMs] = [Math.min(...decoding), Math.min(...refusing)]
      const figures = `${refusingMs.toFixed(1)} ms, decoding ${decodingMs.toFixed(1)} ms`
      t.diagnostic(figures)
      if (refusingMs <= 2 * decodingMs + fixedMs) return
      const allowedFixedMs = (fixedMs / referenceUnitMs) * (await node.calibrate())
      if (refusingMs <= 2 * decodingMs + allowedFixedMs) return
      assert.ok(attempt < maxAttempts, figures)
    }
  })
}
