import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  BotType,
  type Endpoint,
  listEndpoints,
  type MessageId,
  type Params,
  type ScheduledMessageId,
  type StreamFolderId,
  type UserGroupId,
} from '@oxbow/contract'
import { schemaOf } from '@oxbow/contract/openapi'
import type { Client } from '@oxbow/sdk'
import {
  type MadeStream,
  openQueue,
  type Person,
  pngOf,
  request,
  signIn,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { outcome } from '@oxbow/testkit/calls/callers'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import { makeGroup } from '@oxbow/testkit/calls/user-groups'
import { deliver } from '@oxbow/testkit/calls/webhooks'

const draft = { type: '', to: [], topic: '', content: 'Prune' }

let world: World
let victim: Person
let bot: Person
/** Id of a bot that the intruder owns. */
let intruderBot: number
let field: number
/** Id of one of the victim's sessions. */
let session: number
let garden: MadeStream
let group: number
let userGroup: UserGroupId
let folder: StreamFolderId
let ownGroup: UserGroupId
let linkifier: number
let dataExport: number
let message: MessageId
let attachment: number
let uri: string
let scheduled: ScheduledMessageId
let invitation: number
let link: number
let hook: Person
/** Id of a failed delivery to `hook`. */
let failure: number
/** Id of one of the victim's drafts. */
let victimDraft: number
let hill: { organization_id: number; owner: Person }
/** The owner of the other organization, on that organization's host. */
let intruder: Client

before(async () => {
  // Some invitations need a configured mail server, but none is sent to it.
  world = await startWorld({ config: { smtp_url: 'smtp://127.0.0.1:1', external_url: 'http://localhost' } })
  // An hourly job would add this row between two comparisons.
  await world.database.query('insert into traffic_count (organization_id, counted_to) values ($1, 0)', [
    world.organization_id,
  ])
  victim = await world.person('victim')
  session = (await (await signIn(world, victim)).sessions.list()).sessions[0]?.id ?? 0
  field = (await world.owner.profileFields.create({ name: 'Motto', field_type: 1 })).id
  await world.owner.users.update({
    user_id: victim.user_id,
    profile_data: [{ id: field as never, value: 'quiet' }],
  })
  garden = await world.stream('garden', { members: [world.owner, victim] })
  const pond = await world.stream('pond')
  await world.owner.defaultStreams.add({ stream_id: pond.stream_id })
  const beds = { group_name: 'Beds', description: 'Where it grows', stream_names: [garden.name] }
  group = (await world.owner.defaultStreams.createGroup(beds)).id
  userGroup = await makeGroup(world.owner, 'Growers', victim)
  folder = (await world.owner.streamFolders.create({ name: 'Beds' })).channel_folder_id
  const bed = { pattern: 'bed-(?P<id>[0-9]+)', url_format_string: 'https://beds.example/%(id)s' }
  linkifier = (await world.owner.linkifiers.add(bed)).id
  const [exported] = await world.database.query<{ id: number }>(
    `insert into data_export (organization_id, acting_user_id, origin, finished_at)
     values ($1, $2, 'http://localhost', now()) returning id::int`,
    [world.organization_id, world.owner.user_id],
  )
  dataExport = exported?.id ?? 0
  await world.owner.domains.add({ domain: 'garden.example', allow_subdomains: true })
  await victim.subscriptions.muteTopic({ stream_id: garden.stream_id, topic: 'weeds', op: 'add' })
  message = await sendToStream(victim, garden, 'weeds')
  uri = await upload(victim)
  await sendToStream(victim, garden, 'weeds', `[notes](${uri})`)
  attachment = (await victim.uploads.list()).attachments[0]?.id ?? 0
  await world.owner.messages.addReaction({ message_id: message, emoji_name: 'heart' })
  await sendPrivately(victim, [world.owner])
  scheduled = await schedule(victim, { to: garden.stream_id })
  await world.owner.invitations.send({
    invitee_emails: 'new@elsewhere.example',
    stream_ids: [garden.stream_id],
  })
  await world.owner.invitations.createLink()
  const { invites } = await world.owner.invitations.list()
  ;[invitation = 0, link = 0] = invites.map(({ id }) => id)
  hook = await world.bot('hook', victim, BotType.incomingWebhook)
  await deliver(world, { bot: hook, json: {} })
  const { webhook_failures } = await victim.webhooks.listFailures({ bot_id: hook.user_id })
  failure = webhook_failures[0]?.id ?? 0
  victimDraft = (await victim.drafts.create({ drafts: [draft] })).ids[0] ?? 0
  hill = await world.addOrganization('hill')
  intruder = hill.owner
  ownGroup = await makeGroup(hill.owner, 'Diggers', hill.owner)
  bot = await world.bot('robin', victim)
  intruderBot = (await intruder.bots.create({ full_name: 'Hill Bot', short_name: 'hill' })).user_id
  await intruder.subscriptions.subscribe({ subscriptions: [{ name: 'heights' }] })
  await world.settled()
})
after(() => world[Symbol.asyncDispose]())

/**
 * Calls of every endpoint that takes an id, each with an id of another organization and the
 * expected outcome.
 */
const attempts: Record<string, () => [params: object, expected: string][]> = {
  'organization.update': () => [
    [{ notifications_stream_id: garden.stream_id }, 'INVALID_STREAM_ID'],
    [{ name: 'Taken', signup_notifications_stream_id: garden.stream_id }, 'INVALID_STREAM_ID'],
  ],
  'presence.listOf': () => [[{ user_ids: [victim.user_id] }, 'ok']],
  'users.get': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.update': () => [
    [{ user_id: victim.user_id, full_name: 'Taken Over' }, 'NO_SUCH_USER'],
    [{ user_id: victim.user_id, role: 200 }, 'NO_SUCH_USER'],
    [{ user_id: hill.owner.user_id, profile_data: [{ id: field, value: 'x' }] }, 'FIELD_NOT_FOUND'],
  ],
  'users.erase': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.deactivate': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'sessions.end': () => [[{ session_id: session }, 'NO_SUCH_SESSION']],
  'sessions.endOfUser': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'users.reactivate': () => [[{ user_id: victim.user_id }, 'NO_SUCH_USER']],
  'bots.update': () => [
    [{ bot_id: bot.user_id, full_name: 'Taken Over' }, 'NO_SUCH_BOT'],
    [{ bot_id: intruderBot, bot_owner_id: victim.user_id }, 'NEW_BOT_OWNER_UNKNOWN'],
    [{ bot_id: intruderBot, default_sending_stream: 'pond' }, 'INVALID_STREAM_NAME'],
  ],
  'bots.regenerateApiKey': () => [[{ bot_id: bot.user_id }, 'NO_SUCH_BOT']],
  'bots.deactivate': () => [[{ bot_id: bot.user_id }, 'NO_SUCH_BOT']],
  'users.setProfileData': () => [[{ data: [{ id: field, value: 'x' }] }, 'FIELD_NOT_FOUND']],
  'users.clearProfileData': () => [[{ data: [field] }, 'FIELD_NOT_FOUND']],
  'invitations.send': () => [
    [{ invitee_emails: 'spy@elsewhere.example', stream_ids: [garden.stream_id] }, 'STREAM_TO_JOIN_NOT_FOUND'],
  ],
  'invitations.revoke': () => [[{ invite_id: invitation }, 'NO_SUCH_INVITATION']],
  'invitations.resend': () => [[{ invite_id: invitation }, 'NO_SUCH_INVITATION']],
  'invitations.createLink': () => [[{ stream_ids: [garden.stream_id] }, 'STREAM_OF_LINK_NOT_FOUND']],
  'invitations.revokeLink': () => [[{ invite_id: link }, 'NO_SUCH_INVITATION']],
  'profileFields.update': () => [[{ field_id: field, name: 'Renamed' }, 'FIELD_NOT_FOUND']],
  'profileFields.remove': () => [[{ field_id: field }, 'FIELD_NOT_FOUND']],
  // The endpoint ignores unknown field ids.
  'profileFields.reorder': () => [[{ order: [field] }, 'ok']],
  'userGroups.create': () => [
    [{ name: 'Takers', description: '', members: [victim.user_id] }, 'INVALID_USER_ID'],
    // The caller's own organization has a group with the same name.
    [{ name: 'Growers', description: '', members: [hill.owner.user_id] }, 'ok'],
  ],
  'userGroups.update': () => [[{ user_group_id: userGroup, name: 'Taken' }, 'USER_GROUP_INVALID']],
  'userGroups.remove': () => [[{ user_group_id: userGroup }, 'USER_GROUP_INVALID']],
  'userGroups.changeMembers': () => [
    [{ user_group_id: userGroup, add: [hill.owner.user_id] }, 'USER_GROUP_INVALID'],
    [{ user_group_id: userGroup, delete: [victim.user_id] }, 'USER_GROUP_INVALID'],
  ],
  'userGroups.changeSubgroups': () => [
    [{ user_group_id: userGroup, add: [userGroup] }, 'USER_GROUP_INVALID'],
    [{ user_group_id: ownGroup, add: [userGroup] }, 'USER_GROUP_INVALID'],
    [{ user_group_id: ownGroup, delete: [userGroup] }, 'USER_GROUP_INVALID'],
  ],
  'permissions.explain': () => [
    [{ user_id: victim.user_id, action: 'change_settings' }, 'NO_SUCH_USER'],
    [{ user_id: hill.owner.user_id, action: 'see_email', other_user_id: victim.user_id }, 'NO_SUCH_USER'],
    [
      { user_id: hill.owner.user_id, action: 'send_private_message', other_user_id: victim.user_id },
      'NO_SUCH_USER',
    ],
    // The response is the same as for a stream or message that does not exist.
    [{ user_id: hill.owner.user_id, action: 'see_stream', stream_id: garden.stream_id }, 'ok'],
    [{ user_id: hill.owner.user_id, action: 'edit_message', message_id: message }, 'ok'],
  ],
  'dataExports.remove': () => [[{ export_id: dataExport }, 'EXPORT_NOT_FOUND']],
  'linkifiers.remove': () => [[{ filter_id: linkifier }, 'LINKIFIER_NOT_FOUND']],
  'streams.get': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'streams.members': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'streams.topics': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'streams.update': () => [
    [{ stream_id: garden.stream_id, new_name: 'taken over' }, 'INVALID_STREAM_ID'],
    [{ stream_id: garden.stream_id, is_private: true }, 'INVALID_STREAM_ID'],
    [{ stream_id: garden.stream_id, message_retention_days: 1 }, 'INVALID_STREAM_ID'],
    [{ stream_id: garden.stream_id, folder_id: folder }, 'INVALID_STREAM_ID'],
  ],
  'streamFolders.update': () => [[{ channel_folder_id: folder, name: 'Taken' }, 'STREAM_FOLDER_INVALID']],
  'streamFolders.reorder': () => [[{ order: [folder] }, 'STREAM_FOLDER_ORDER_INVALID']],
  'streamSections.set': () => [
    [{ stream_sections: [{ kind: 'shared', folder_id: folder, stream_ids: [] }] }, 'STREAM_FOLDER_INVALID'],
    // Ids of streams are stored without a check.
    [{ stream_sections: [{ kind: 'other', stream_ids: [garden.stream_id] }] }, 'ok'],
  ],
  'streams.archive': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'streams.deleteTopic': () => [[{ stream_id: garden.stream_id, topic_name: 'weeds' }, 'INVALID_STREAM_ID']],
  'messages.getRaw': () => [[{ message_id: message }, 'INVALID_MESSAGE']],
  'messages.edit': () => [
    [{ message_id: message, topic: 'taken over' }, 'INVALID_MESSAGE'],
    [{ message_id: message, content: 'taken over' }, 'INVALID_MESSAGE'],
  ],
  'messages.remove': () => [[{ message_id: message }, 'INVALID_MESSAGE']],
  'messages.readReceipts': () => [[{ message_id: message }, 'INVALID_MESSAGE']],
  'messages.history': () => [[{ message_id: message }, 'INVALID_MESSAGE']],
  'notifications.explain': () => [[{ message_id: message, user_id: victim.user_id }, 'INVALID_MESSAGE']],
  'messages.changeFlags': () => [[{ messages: [message], op: 'add', flag: 'starred' }, 'INVALID_MESSAGE']],
  'messages.addReaction': () => [[{ message_id: message, emoji_name: 'tada' }, 'INVALID_MESSAGE']],
  'messages.removeReaction': () => [[{ message_id: message, emoji_name: 'heart' }, 'INVALID_MESSAGE']],
  'messages.addSubmessage': () => [
    [{ message_id: message, msg_type: 'widget', content: '{}' }, 'INVALID_MESSAGE'],
  ],
  'drafts.create': () => [
    [{ drafts: [{ ...draft, type: 'stream', to: [garden.stream_id] }] }, 'INVALID_STREAM_ID'],
    [{ drafts: [draft, { ...draft, type: 'private', to: [victim.user_id] }] }, 'RECIPIENT_ID_INVALID'],
  ],
  'drafts.edit': () => [[{ draft_id: victimDraft, draft }, 'DRAFT_DOES_NOT_EXIST']],
  'drafts.remove': () => [[{ draft_id: victimDraft }, 'DRAFT_DOES_NOT_EXIST']],
  'uploads.remove': () => [[{ attachment_id: attachment }, 'INVALID_ATTACHMENT']],
  'scheduledMessages.edit': () => [
    [{ scheduled_message_id: scheduled, content: 'taken over' }, 'SCHEDULED_MESSAGE_UNKNOWN'],
  ],
  'scheduledMessages.remove': () => [[{ scheduled_message_id: scheduled }, 'SCHEDULED_MESSAGE_UNKNOWN']],
  'typing.tell': () => [[{ op: 'start', to: [victim.user_id] }, 'RECIPIENT_ID_INVALID']],
  'typing.tellShort': () => [[{ op: 'start', to: [victim.user_id] }, 'RECIPIENT_ID_INVALID']],
  'messages.markStreamRead': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'messages.markTopicRead': () => [
    [{ stream_id: garden.stream_id, topic_name: 'weeds' }, 'INVALID_STREAM_ID'],
  ],
  'subscriptions.subscribe': () => [
    [{ subscriptions: [{ name: 'heights' }], principals: [victim.user_id] }, 'PRINCIPAL_NOT_FOUND'],
    [{ subscriptions: [{ name: 'heights' }], principals: [victim.email] }, 'PRINCIPAL_NOT_FOUND'],
    // The caller's own organization has a stream with the same name.
    [{ subscriptions: [{ name: 'garden' }] }, 'ok'],
  ],
  'subscriptions.change': () => [
    [{ add: [{ name: 'heights' }], principals: [victim.user_id] }, 'PRINCIPAL_NOT_FOUND'],
    [{ delete: ['pond'] }, 'STREAM_DOES_NOT_EXIST'],
  ],
  'subscriptions.unsubscribe': () => [
    [{ subscriptions: ['heights'], principals: [victim.user_id] }, 'PRINCIPAL_NOT_FOUND'],
    [{ subscriptions: ['pond'], principals: [victim.user_id] }, 'STREAM_DOES_NOT_EXIST'],
    [{ subscriptions: ['pond'] }, 'STREAM_DOES_NOT_EXIST'],
  ],
  'subscriptions.setProperties': () => [
    [
      { subscription_data: [{ stream_id: garden.stream_id, property: 'pin_to_top', value: true }] },
      'INVALID_STREAM_ID',
    ],
  ],
  'subscriptions.setProperty': () => [
    [{ stream_id: garden.stream_id, property: 'color', value: '#123456' }, 'INVALID_STREAM_ID'],
  ],
  'subscriptions.status': () => [
    [{ user_id: victim.user_id, stream_id: garden.stream_id }, 'NO_SUCH_USER'],
    [{ user_id: hill.owner.user_id, stream_id: garden.stream_id }, 'INVALID_STREAM_ID'],
  ],
  'mutedUsers.mute': () => [[{ muted_user_id: victim.user_id }, 'NO_SUCH_USER']],
  'mutedUsers.unmute': () => [[{ muted_user_id: victim.user_id }, 'NO_SUCH_USER']],
  'subscriptions.muteTopic': () => [
    [{ stream_id: garden.stream_id, topic: 'tools', op: 'add' }, 'INVALID_STREAM_ID'],
    [{ stream: 'pond', topic: 'tools', op: 'add' }, 'INVALID_STREAM_NAME'],
    [{ stream_id: garden.stream_id, topic: 'weeds', op: 'remove' }, 'TOPIC_NOT_MUTED'],
    [{ stream: 'pond', topic: 'weeds', op: 'remove' }, 'TOPIC_NOT_MUTED'],
  ],
  'subscriptions.setAttention': () => [
    [{ stream_id: garden.stream_id, topic: 'tools', visibility_policy: 3 }, 'INVALID_STREAM_ID'],
  ],
  'defaultStreams.add': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'defaultStreams.remove': () => [[{ stream_id: garden.stream_id }, 'INVALID_STREAM_ID']],
  'defaultStreams.updateGroup': () => [
    [{ group_id: group, new_group_name: 'Taken' }, 'DEFAULT_GROUP_NOT_FOUND'],
  ],
  'defaultStreams.changeGroupStreams': () => [
    [{ group_id: group, op: 'remove', stream_names: ['garden'] }, 'DEFAULT_GROUP_NOT_FOUND'],
    [{ group_id: group, op: 'add', stream_names: ['heights'] }, 'DEFAULT_GROUP_NOT_FOUND'],
  ],
  'webhooks.listFailures': () => [[{ bot_id: hook.user_id }, 'NO_SUCH_BOT']],
  'webhooks.replayFailure': () => [
    [{ bot_id: hook.user_id, failure_id: failure }, 'NO_SUCH_BOT'],
    [{ bot_id: intruderBot, failure_id: failure }, 'NO_SUCH_WEBHOOK_FAILURE'],
  ],
  'defaultStreams.removeGroup': () => [[{ group_id: group }, 'DEFAULT_GROUP_NOT_FOUND']],
}

test('every endpoint that takes an id has an attempt in this file', () => {
  const takesId = ({ params }: Endpoint) =>
    Object.values(params as Params).some(({ schema }) =>
      /"format":"[a-z-]+-id"/.test(JSON.stringify(schemaOf(schema, 'input'))),
    )
  const expected = listEndpoints().filter(({ endpoint }) => takesId(endpoint))
  const missing = expected.filter(({ name }) => !(name in attempts))
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

/** The rows after the last attempt, which are those before the next. */
let rowsAfterAttempt: unknown

for (const [name, calls] of Object.entries(attempts)) {
  test(`${name} cannot access objects of another organization`, async () => {
    for (const [params, expected] of calls()) {
      const before = rowsAfterAttempt ?? (await readAllRows(world.organization_id))
      assert.equal(await outcome(intruder, name, params), expected, JSON.stringify(params))
      rowsAfterAttempt = await readAllRows(world.organization_id)
      assert.deepEqual(rowsAfterAttempt, before)
    }
  })
}

test('a profile field cannot refer to a user of another organization', async () => {
  const { id } = await intruder.profileFields.create({ name: 'Mentor', field_type: 6 })
  const naming = { data: [{ id, value: [victim.user_id] }] }
  assert.equal(await outcome(intruder, 'users.setProfileData', naming), 'INVALID_USER_ID')
})

test("lists contain only objects of the caller's organization", async () => {
  const { members } = await intruder.users.list({ include_custom_profile_fields: true })
  assert.deepEqual(
    members.map((member) => member.user_id),
    [hill.owner.user_id, intruderBot],
  )
  const { people } = await intruder.users.directory()
  assert.deepEqual(
    people.map(([user_id]) => user_id),
    [hill.owner.user_id, intruderBot],
  )
  const { realm_bots } = await intruder.events.register({ fetch_event_types: ['realm_bot'] })
  assert.deepEqual(
    realm_bots?.map(({ user_id }) => user_id),
    [intruderBot],
  )
  const { custom_fields } = await intruder.profileFields.list()
  assert.ok(custom_fields.every(({ id }) => id !== field))
  const { invites } = await intruder.invitations.list()
  assert.deepEqual(invites, [])
  const { realm_name } = await intruder.server.settings()
  assert.equal(realm_name, 'The hill team')
})

test('presence of users is not visible to another organization', async () => {
  await victim.presence.report({ status: 'active' })
  const { presences } = await intruder.presence.report({ status: 'active' })
  const listed = await intruder.presence.list()
  const state = await intruder.events.register({ fetch_event_types: ['presence'] })
  const found = await intruder.presence.listOf({ user_ids: [victim.user_id, hill.owner.user_id] })

  assert.deepEqual(Object.keys(found.presences), [String(hill.owner.user_id)])
  for (const list of [presences, listed.presences, state.presences]) {
    assert.deepEqual(Object.keys(list ?? {}), [hill.owner.email])
  }
  for (const user_id_or_email of [String(victim.user_id), victim.email]) {
    assert.equal(await outcome(intruder, 'presence.get', { user_id_or_email }), 'NO_SUCH_USER')
  }
})

test("the name of another organization's emoji is reported as unknown", async () => {
  await addEmoji(world.owner, 'owl')
  const gone = await outcome(intruder, 'emoji.deactivate', { emoji_name: 'owl' })
  const { emoji } = await intruder.emoji.list()
  const { realm_emoji } = await intruder.events.register({ fetch_event_types: ['realm_emoji'] })
  const { rendered } = await intruder.messages.render({ content: ':owl: :heart:' })

  assert.deepEqual([gone, emoji, realm_emoji], ['EMOJI_DOES_NOT_EXIST', {}, {}])
  assert.ok(!rendered.includes('<img'))
  // The caller's own emoji with the same name is a different one.
  await addEmoji(hill.owner, 'owl')
  const { emoji: own } = await world.owner.emoji.list()
  assert.equal(Object.keys(own).length, 1)
})

test('users of another organization cannot join a group, and groups of other organizations are not listed', async () => {
  const own = await makeGroup(hill.owner, 'Climbers', hill.owner)
  const naming = { user_group_id: own, add: [victim.user_id] }
  assert.equal(await outcome(intruder, 'userGroups.changeMembers', naming), 'INVALID_USER_ID')

  const { user_groups } = await intruder.userGroups.list()
  const { realm_user_groups } = await intruder.events.register({ fetch_event_types: ['realm_user_groups'] })
  assert.deepEqual(realm_user_groups, user_groups)
  const groups = user_groups.filter((group) => !group.is_system_group)
  assert.ok(groups.every(({ id, members }) => id !== userGroup && members[0] === hill.owner.user_id))
  assert.ok(user_groups.every(({ members }) => !members.includes(victim.user_id)))
})

test('GET /users/{email} finds no user of another organization', async () => {
  assert.equal(await outcome(intruder, 'users.getByEmail', { email: victim.email }), 'NO_SUCH_USER')
})

test('a caller neither sees nor changes domains, linkifiers and pictures of another organization', async () => {
  await world.settled()
  const before = await readAllRows(world.organization_id)
  assert.deepEqual(
    [
      await intruder.domains.list(),
      await intruder.linkifiers.list(),
      await intruder.linkifiers.listByName(),
      await intruder.dataExports.list(),
    ],
    [{ domains: [] }, { filters: [] }, { linkifiers: [] }, { exports: [] }],
  )
  const state = await intruder.events.register({ fetch_event_types: ['realm_domains', 'realm_filters'] })
  assert.deepEqual([state.realm_domains, state.realm_filters], [[], []])
  for (const name of ['domains.update', 'domains.remove'])
    assert.equal(
      await outcome(intruder, name, { domain: 'garden.example', allow_subdomains: false }),
      'DOMAIN_NOT_FOUND',
    )
  assert.equal((await intruder.messages.render({ content: 'bed-7' })).rendered, '<p>bed-7</p>')
  await intruder.organizationPictures.setIcon({ files: [{ name: 'x.png', bytes: pngOf(3, 3) }] })
  assert.deepEqual(await readAllRows(world.organization_id), before)
})

test("the name of another organization's stream is reported as unknown", async () => {
  const own = await intruder.defaultStreams.createGroup({
    group_name: 'Slopes',
    description: '',
    stream_names: [],
  })
  const attempts: [name: string, params: object][] = [
    ['streams.getId', { stream: 'pond' }],
    ['defaultStreams.createGroup', { group_name: 'Beds', description: '', stream_names: ['pond'] }],
    ['defaultStreams.changeGroupStreams', { group_id: own.id, op: 'add', stream_names: ['pond'] }],
  ]
  for (const [name, params] of attempts)
    assert.equal(await outcome(intruder, name, params), 'INVALID_STREAM_NAME', name)
})

test("lists of streams contain only streams of the caller's organization", async () => {
  const everything = {
    include_all_active: true,
    include_default: true,
    include_owner_subscribed: true,
    include_subscriber_counts: true,
  }
  const { streams } = await intruder.streams.list(everything)
  const state = await intruder.events.register({ include_subscribers: true })
  const { subscriptions } = await intruder.subscriptions.list({ include_subscribers: true })

  const ids = new Set(streams.map(({ stream_id }) => stream_id))
  assert.ok(ids.size > 0 && !ids.has(garden.stream_id))
  const shown = [state.streams, state.subscriptions, state.unsubscribed, state.never_subscribed]
  for (const list of [...shown, subscriptions]) assert.ok(list?.every(({ stream_id }) => ids.has(stream_id)))
  for (const { subscribers } of [...(state.subscriptions ?? []), ...subscriptions])
    assert.deepEqual(subscribers, [hill.owner.user_id])
  assert.deepEqual([state.realm_default_streams, state.muted_topics, state.user_topics], [[], [], []])
  assert.ok(state.realm_default_stream_groups?.every(({ id }) => id !== group))
})

test('messages reach no user and no stream of another organization', async () => {
  await world.settled()
  const before = await readAllRows(world.organization_id)
  const attemptToSend = async (type: string, to: unknown) => {
    const params = { type, to, topic: 'weeds', content: 'Pulled.' }
    const later = { ...params, scheduled_delivery_timestamp: nextWeek() }
    const response = await outcome(intruder, 'messages.send', params)
    assert.equal(await outcome(intruder, 'scheduledMessages.create', later), response)
    return response
  }

  assert.equal(await attemptToSend('stream', garden.stream_id), 'STREAM_ID_DOES_NOT_EXIST')
  assert.equal(await attemptToSend('stream', 'pond'), 'STREAM_DOES_NOT_EXIST')
  assert.equal(await attemptToSend('private', [victim.user_id]), 'RECIPIENT_ID_INVALID')
  assert.equal(await attemptToSend('private', [victim.email]), 'RECIPIENT_EMAIL_INVALID')

  assert.deepEqual(await readAllRows(world.organization_id), before)
})

test('a narrow finds no message of another organization', async () => {
  const find = (operator: string, operand: string | number | number[]) =>
    intruder.messages.list({
      anchor: 'oldest',
      num_before: 0,
      num_after: 5_000,
      narrow: [{ operator, operand }],
    })
  for (const [operator, operand] of [
    ['stream', garden.stream_id],
    ['stream', 'pond'],
    ['sender', victim.user_id],
    ['sender', victim.email],
    ['pm-with', [victim.user_id]],
    ['group-pm-with', victim.user_id],
  ] as const)
    await assert.rejects(find(operator, operand as number), { errorName: 'BAD_NARROW' })
  for (const [operator, operand] of [
    ['id', String(message)],
    ['topic', 'weeds'],
    ['streams', 'public'],
    ['is', 'private'],
    ['in', 'all'],
    ['search', 'pulled'],
  ] as const)
    for (const { id } of (await find(operator, operand)).messages) assert.ok(id > message, operator)
  const { conversations } = await intruder.messages.conversations({})
  for (const { max_message_id } of conversations) assert.ok(max_message_id > message)
  assert.deepEqual(await intruder.messages.matchesNarrow({ msg_ids: [message], narrow: [] }), {
    messages: {},
  })
  const { html } = { html: await intruder.messages.render({ content: '@**Victim** #**garden**' }) }
  assert.ok(!html.rendered.includes('data-user-id') && !html.rendered.includes(`"${garden.stream_id}"`))
})

test('a picture is served only under its owner and organization', async () => {
  const files = [{ name: 'me.png', bytes: pngOf(3, 3) }]
  const own = (await victim.users.setAvatar({ files })).avatar_url
  await world.settled()
  const before = await readAllRows(world.organization_id)
  const intruderAvatar = (await intruder.users.setAvatar({ files })).avatar_url
  await intruder.users.clearAvatar()

  assert.deepEqual(await readAllRows(world.organization_id), before)
  const statusOf = async (path: string) => (await request(world.nodes.a.url, { path })).status
  assert.equal(await statusOf(own), 200)
  const elsewhere = (url: string, id: number) => url.replace(/\d+/, String(id))
  assert.equal(await statusOf(elsewhere(own, hill.organization_id)), 404)
  assert.equal(await statusOf(elsewhere(intruderAvatar, world.organization_id)), 404)
})

test('an upload of another organization can neither be read nor linked', async () => {
  const [, , realm_id_str = '', ...rest] = uri.split('/')
  const link = { realm_id_str, filename: rest.join('/') }
  assert.equal(await outcome(intruder, 'uploads.getTemporaryLink', link), 'UPLOAD_NOT_FOUND')
  await world.settled()
  const before = await readAllRows(world.organization_id)
  const own = { type: 'stream', to: 'heights', topic: 'files', content: `[notes](${uri})` }
  const { id } = await intruder.messages.send(own)
  assert.deepEqual(await readAllRows(world.organization_id), before)
  assert.equal(await outcome(intruder, 'uploads.getTemporaryLink', link), 'UPLOAD_NOT_FOUND')
  const linked = await intruder.messages.list({
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'has', operand: 'attachment' }],
  })
  assert.ok(linked.messages.every((found) => found.id !== id))
  const { attachments, upload_space_used } = await intruder.uploads.list()
  assert.deepEqual([attachments, upload_space_used], [[], 0])
})

test('personal settings have no effect on other organizations', async () => {
  await victim.userStatus.set({ away: true, status_text: 'at rest' })
  await victim.alertWords.add({ alert_words: ['heather'] })
  await victim.devices.addAndroid({ token: 'stone' })
  const queue = await openQueue(hill.owner)
  await world.settled()
  const before = await readAllRows(world.organization_id)

  await intruder.alertWords.add({ alert_words: ['heather'] })
  await intruder.devices.addAndroid({ token: 'stone' })
  await intruder.userStatus.set({ away: true })
  await intruder.settings.updateDisplay({ timezone: 'Europe/Berlin' })
  assert.equal(await outcome(intruder, 'devices.removeAndroid', { token: 'stone' }), 'ok')
  assert.equal(await outcome(intruder, 'devices.removeAndroid', { token: 'stone' }), 'DEVICE_TOKEN_UNKNOWN')

  assert.deepEqual(await readAllRows(world.organization_id), before)
  const { user_status } = await intruder.events.register({ fetch_event_types: ['user_status'] })
  assert.deepEqual(user_status, { [hill.owner.user_id]: { away: true } })
  await victim.userStatus.set({ away: false })
  await world.settled()
  const statuses = (await queue.rest()).filter(({ type }) => type === 'user_status')
  assert.deepEqual(
    statuses.map((event) => 'user_id' in event && event.user_id),
    [hill.owner.user_id],
  )
})

test("a password signs in only at the host of the account's organization", async () => {
  const credentials = { username: victim.email, password: victim.password }
  assert.equal(await outcome(intruder, 'authentication.fetchApiKey', credentials), 'LOGIN_INCORRECT')
  assert.equal(await outcome(world.anonymous(), 'authentication.fetchApiKey', credentials), 'ok')
})

test('an address may have an account in each organization', async () => {
  const account = { email: victim.email, password: 'heron lake 77 reeds', full_name: 'Victim Elsewhere' }
  assert.equal(await outcome(intruder, 'users.create', account), 'ok')
})

let allRowsStatement: string | undefined

/** Returns all rows of an organization, from every table with an organization id, with one statement. */
async function readAllRows(organization_id: number): Promise<unknown> {
  allRowsStatement ??= await buildAllRowsStatement()
  return world.database.query(allRowsStatement, [organization_id])
}

async function buildAllRowsStatement(): Promise<string> {
  const tables = await world.database.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  )
  const parts = [
    { table_name: 'organization', id: 'id' },
    ...tables.map(({ table_name }) => ({ table_name, id: 'organization_id' })),
  ]
  return parts
    .map(
      ({ table_name, id }) =>
        `select '${table_name}' as name, (select json_agg(t order by t::text)::text from ${table_name} t where ${id} = $1) as rows`,
    )
    .join(' union all ')
}
