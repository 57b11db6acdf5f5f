import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type ArgumentsOf,
  type api,
  type MessageId,
  organizationSettings,
  type StreamId,
} from '@oxbow/contract'
import { type Client, createClient } from '@oxbow/sdk'
import { eventually, type NodeName, pngOf, request, startStopwatch, startWorld } from '@oxbow/testkit'
import { outcome } from '@oxbow/testkit/calls/callers'
import { readMessage, sendToStream, setMessageAge } from '@oxbow/testkit/calls/messages'
import { deleteOldMessages } from '../../messages/upkeep/retention.ts'
import { collectNotices } from '../../streams/test/pending-notices.ts'

// With two authentication methods, one can be disabled.
const world = await startWorld({ config: { mode: 'development' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const robot = await world.bot('robot', iris)
const garden = await world.stream('garden', { members: [owner, iris, otto] })
let count = 0

type Settings = ArgumentsOf<typeof api.organization.update>

interface Row {
  /** Settings required for the tested setting to have an effect. */
  settingsBefore?: Settings
  set: Settings
  /**
   * An action whose outcome depends on the setting. The test repeats it until the setting takes
   * effect.
   */
  tried(node: NodeName): Promise<unknown>
  before: unknown
  after: unknown
}

/** Sends a message an hour ago. */
async function sendOldMessage(): Promise<MessageId> {
  const id = await sendToStream(iris, garden, 'roses')
  await setMessageAge(world, id, 3_600)
  return id
}

const newcomer = (email: string) => ({ email, full_name: 'Nora New', password: 'reed 12 heron lake' })
const joinAs = (node: NodeName, domain: string) =>
  outcome(owner.on(node), 'users.create', newcomer(`nora${count++}@${domain}`))
const settingsOfNewcomer = async (node: NodeName) => {
  const email = `new${count++}@garden.example`
  await owner.on(node).users.create(newcomer(email))
  const { api_key } = await world.anonymous(node).authentication.devFetchApiKey({ username: email })
  const client = createClient({ url: world.nodes[node].url, credentials: { email, api_key } })
  return client.events.register({ fetch_event_types: ['update_display_settings'] })
}
const sendAndRead = async (client: Client, content: string) =>
  (await readMessage(client, await sendToStream(client, garden, 'roses', content))).content
const onOwn = (node: NodeName, name: string, options: object = {}) =>
  sendToStream(iris, garden, 'roses').then((message_id) =>
    outcome(iris.on(node), name, { message_id, ...options }),
  )
const newStream = (node: NodeName, more: object = {}) =>
  outcome(iris.on(node), 'subscriptions.subscribe', {
    subscriptions: [{ name: `stream ${count++}` }],
    ...more,
  })
const invite = (node: NodeName) =>
  outcome(iris.on(node), 'invitations.send', {
    invitee_emails: `invited${count++}@garden.example`,
    stream_ids: [garden.stream_id],
  })
/** One message for each node, which deletes it once the setting is in force. */
const messagesToDelete = { a: await sendOldMessage(), b: await sendOldMessage() }
const messageToEdit = await sendOldMessage()

const rows: Record<string, Row> = {
  name: {
    set: { name: 'The Orchard' },
    tried: async (node) => (await world.anonymous(node).server.settings()).realm_name,
    before: 'The Garden',
    after: 'The Orchard',
  },
  description: {
    set: { description: 'We **grow**.' },
    tried: async (node) => (await world.anonymous(node).server.settings()).realm_description,
    before: '<p>This organization has not described itself yet.</p>',
    after: '<p>We <strong>grow</strong>.</p>',
  },
  disallow_disposable_email_addresses: {
    set: { disallow_disposable_email_addresses: false },
    tried: (node) => joinAs(node, 'mailinator.com'),
    before: 'EMAIL_DISPOSABLE',
    after: 'ok',
  },
  default_language: {
    set: { default_language: 'de' },
    tried: async (node) => (await settingsOfNewcomer(node)).default_language,
    before: 'en',
    after: 'de',
  },
  default_twenty_four_hour_time: {
    set: { default_twenty_four_hour_time: true },
    tried: async (node) => (await settingsOfNewcomer(node)).twenty_four_hour_time,
    before: false,
    after: true,
  },
  emails_restricted_to_domains: {
    set: { emails_restricted_to_domains: true },
    tried: (node) => joinAs(node, 'elsewhere.example'),
    before: 'ok',
    after: 'EMAIL_NOT_ALLOWED',
  },
  name_changes_disabled: {
    set: { name_changes_disabled: true },
    tried: async (node) =>
      Object.keys(await iris.on(node).users.updateSettings({ full_name: `Iris ${count++}` })),
    before: ['full_name'],
    after: [],
  },
  email_changes_disabled: {
    settingsBefore: { emails_restricted_to_domains: false },
    set: { email_changes_disabled: true },
    tried: (node) => outcome(iris.on(node), 'users.updateSettings', { email: 'iris@new.example' }),
    before: 'MAIL_NOT_CONFIGURED',
    after: 'EMAIL_CHANGES_DISABLED',
  },
  // This server cannot send e-mail, so the sign-up page of an open organization responds with 503.
  invite_required: {
    set: { invite_required: false },
    tried: async (node) => [
      (await request(world.nodes[node].url, { path: '/register/' })).status,
      await invite(node),
    ],
    before: [404, 'ok'],
    after: [503, 'TOO_NEW_TO_INVITE'],
  },
  invite_by_admins_only: {
    settingsBefore: { invite_required: true },
    set: { invite_by_admins_only: true },
    tried: invite,
    before: 'ok',
    after: 'MUST_BE_ADMINISTRATOR',
  },
  user_group_edit_policy: {
    set: { user_group_edit_policy: 2 },
    tried: (node) =>
      outcome(iris.on(node), 'userGroups.create', {
        name: `group ${count++}`,
        description: '',
        members: [iris.user_id],
      }),
    before: 'ok',
    after: 'MUST_BE_ADMINISTRATOR',
  },
  avatar_changes_disabled: {
    set: { avatar_changes_disabled: true },
    tried: (node) => outcome(iris.on(node), 'users.clearAvatar', {}),
    before: 'ok',
    after: 'AVATAR_CHANGES_DISABLED',
  },
  inline_image_preview: {
    set: { inline_image_preview: false },
    tried: async (node) =>
      (await sendAndRead(iris.on(node), 'https://a.example/x.png')).includes('message_inline_image'),
    before: true,
    after: false,
  },
  default_code_block_language: {
    set: { default_code_block_language: 'python' },
    tried: async (node) => /<span class="/.test(await sendAndRead(iris.on(node), '```\nimport this\n```')),
    before: false,
    after: true,
  },
  add_emoji_by_admins_only: {
    set: { add_emoji_by_admins_only: true },
    tried: (node) =>
      outcome(iris.on(node), 'emoji.upload', {
        emoji_name: `emoji${count++}`,
        files: [{ name: 'x.png', bytes: pngOf(2, 2) }],
      }),
    before: 'ok',
    after: 'MUST_BE_ADMINISTRATOR',
  },
  allow_message_deleting: {
    set: { allow_message_deleting: true },
    tried: (node) => onOwn(node, 'messages.remove'),
    before: 'CANNOT_DELETE_MESSAGE',
    after: 'ok',
  },
  message_content_delete_limit_seconds: {
    set: { message_content_delete_limit_seconds: 0 },
    tried: (node) => outcome(iris.on(node), 'messages.remove', { message_id: messagesToDelete[node] }),
    before: 'DELETE_TIME_OVER',
    after: 'ok',
  },
  message_content_edit_limit_seconds: {
    set: { message_content_edit_limit_seconds: 0 },
    tried: (node) =>
      outcome(iris.on(node), 'messages.edit', {
        message_id: messageToEdit,
        content: `Watered ${count++} times.`,
      }),
    before: 'EDIT_TIME_OVER',
    after: 'ok',
  },
  allow_community_topic_editing: {
    set: { allow_community_topic_editing: false },
    tried: async (node) =>
      outcome(otto.on(node), 'messages.edit', {
        message_id: await sendToStream(iris, garden, 'roses'),
        topic: 'tulips',
      }),
    before: 'ok',
    after: 'CANNOT_EDIT_MESSAGE',
  },
  enable_read_receipts: {
    set: { enable_read_receipts: false },
    tried: (node) => onOwn(node, 'messages.readReceipts'),
    before: 'ok',
    after: 'READ_RECEIPTS_DISABLED',
  },
  mandatory_topics: {
    set: { mandatory_topics: true },
    tried: async (node) => [
      await outcome(iris.on(node), 'messages.send', {
        type: 'stream',
        to: 'garden',
        topic: '(no topic)',
        content: 'x',
      }),
      await onOwn(node, 'messages.edit', { topic: '(no topic)' }),
    ],
    before: ['ok', 'ok'],
    after: ['TOPICS_REQUIRED', 'TOPICS_REQUIRED'],
  },
  allow_edit_history: {
    set: { allow_edit_history: false },
    tried: (node) => onOwn(node, 'messages.history'),
    before: 'ok',
    after: 'EDIT_HISTORY_DISABLED',
  },
  allow_message_editing: {
    set: { allow_message_editing: false },
    tried: (node) => onOwn(node, 'messages.edit', { content: 'Watered.' }),
    before: 'ok',
    after: 'EDITING_DISABLED',
  },
  waiting_period_threshold: {
    settingsBefore: { create_stream_policy: 3 },
    set: { waiting_period_threshold: 3 },
    tried: (node) => newStream(node),
    before: 'ok',
    after: 'CANNOT_CREATE_STREAMS',
  },
  invite_to_stream_policy: {
    settingsBefore: { create_stream_policy: 1 },
    set: { invite_to_stream_policy: 2 },
    tried: (node) => newStream(node, { principals: [otto.user_id] }),
    before: 'ok',
    after: 'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS',
  },
  create_stream_policy: {
    set: { create_stream_policy: 2 },
    tried: (node) => newStream(node),
    before: 'ok',
    after: 'CANNOT_CREATE_STREAMS',
  },
  notifications_stream_id: {
    settingsBefore: { create_stream_policy: 1 },
    set: { notifications_stream_id: garden.stream_id },
    tried: async (node) => {
      const notices = await collectNotices(world, () => newStream(node, { announce: true }))
      return notices.some((notice) => 'topic' in notice && notice.topic === 'new streams')
    },
    before: false,
    after: true,
  },
  signup_notifications_stream_id: {
    set: { signup_notifications_stream_id: garden.stream_id },
    tried: async (node) => (await collectNotices(world, () => joinAs(node, 'garden.example'))).length,
    before: 0,
    after: 1,
  },
  message_retention_days: {
    set: { message_retention_days: 30 },
    tried: async (node) => {
      await deleteOldMessages.run(world.nodes[node].app, {})
      return (await world.database.query('select from message where id = $1', [ancient])).length
    },
    before: 1,
    after: 0,
  },
  bot_creation_policy: {
    set: { bot_creation_policy: 3 },
    tried: (node) => outcome(iris.on(node), 'users.reactivate', { user_id: robot.user_id }),
    before: 'ok',
    after: 'MUST_BE_ADMINISTRATOR',
  },
  resolve_topics_policy: {
    set: { resolve_topics_policy: 2 },
    tried: async (node) => {
      const topic = `beds ${count++}`
      const message_id = await sendToStream(iris, garden, topic)
      const change = { message_id, topic: `✔ ${topic}`, propagate_mode: 'change_all' }
      return outcome(iris.on(node), 'messages.edit', change)
    },
    before: 'ok',
    after: 'CANNOT_RESOLVE_TOPIC',
  },
  private_message_policy: {
    set: { private_message_policy: 2 },
    tried: (node) =>
      outcome(iris.on(node), 'messages.send', { type: 'private', to: [otto.user_id], content: 'x' }),
    before: 'ok',
    after: 'PRIVATE_MESSAGES_DISABLED',
  },
  email_address_visibility: {
    set: { email_address_visibility: 4 },
    tried: async (node) => {
      const { user } = await otto.on(node).users.get({ user_id: iris.user_id })
      const { sender_email } = await readMessage(otto.on(node), await sendToStream(iris, garden, 'roses'))
      return [user.email, sender_email]
    },
    before: [iris.email, iris.email],
    after: Array(2).fill(`user${iris.user_id}@localhost`),
  },
  guests_see_only_shared_people: {
    set: { guests_see_only_shared_people: true, email_address_visibility: 3 },
    tried: (node) => outcome(gus.on(node), 'users.get', { user_id: otto.user_id }),
    before: 'ok',
    after: 'NO_SUCH_USER',
  },
  inline_url_embed_preview: {
    set: { inline_url_embed_preview: false },
    async tried(node) {
      const url = `http://link${count++}.example/`
      const id = await sendToStream(iris.on(node), garden, 'roses', url)
      const [row] = await world.database.query<{ is_fetched: boolean }>(
        `select exists (select from link_preview_request where message_id = $1)
           or exists (select from link_page where url = $2) as is_fetched`,
        [id, url],
      )
      return row?.is_fetched
    },
    before: true,
    after: false,
  },
  authentication_methods: {
    set: { authentication_methods: { Email: false, Dev: true } },
    tried: (node) =>
      outcome(world.anonymous(node), 'authentication.fetchApiKey', {
        username: otto.email,
        password: otto.password,
      }),
    before: 'ok',
    after: 'LOGIN_PASSWORD_DISABLED',
  },
}

/** Settings that only clients apply, or whose feature this server does not support. */
const withoutEffect = [
  'digest_emails_enabled',
  'digest_weekday',
  'message_content_allowed_in_email_notifications',
  'send_welcome_emails',
  'video_chat_provider',
]

const ancient = await sendToStream(iris, garden, 'roses')
await setMessageAge(world, ancient, 40 * 86_400)

test('every organization setting has a test case or is listed in withoutEffect', () => {
  const all = Object.keys(organizationSettings)
  assert.deepEqual(new Set([...Object.keys(rows), ...withoutEffect]), new Set(all))
})

const nodeNames: readonly NodeName[] = ['a', 'b']

for (const [name, row] of Object.entries(rows)) {
  test(`${name} takes effect on both nodes within a second`, async () => {
    if (row.settingsBefore) await owner.organization.update(row.settingsBefore)
    await world.settled()
    for (const node of nodeNames)
      assert.deepEqual(await row.tried(node), row.before, `before, on node ${node}`)

    await owner.on('a').organization.update(row.set)

    await using stopwatch = startStopwatch(world.database)
    for (const node of nodeNames.toReversed()) {
      const setting = await eventually(async () => {
        const isLate = stopwatch.elapsedMs() > 1_000
        const value = await row.tried(node)
        return (isLate || JSON.stringify(value) === JSON.stringify(row.after)) && { value }
      })
      assert.deepEqual(setting.value, row.after, `after, on node ${node}`)
    }
  })
}

test('the other authentication method can be disabled as well', async () => {
  await owner.organization.update({ authentication_methods: { Email: true, Dev: false } })

  for (const node of nodeNames) {
    const { authentication } = world.anonymous(node)
    await authentication.fetchApiKey({ username: otto.email, password: otto.password })
    await assert.rejects(authentication.devFetchApiKey({ username: otto.email }), {
      errorName: 'NOT_A_DEVELOPMENT_SERVER',
    })
    assert.partialDeepStrictEqual(await world.anonymous(node).server.settings(), {
      authentication_methods: { email: true, dev: false },
    })
  }
})

test('archiving a stream unsets it as the notifications stream', async () => {
  await owner.organization.update({
    notifications_stream_id: garden.stream_id,
    signup_notifications_stream_id: garden.stream_id,
  })
  await owner.streams.archive({ stream_id: garden.stream_id as StreamId })

  const state = await owner.on('b').events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual(
    [state.realm_notifications_stream_id, state.realm_signup_notifications_stream_id],
    [-1, -1],
  )
})
