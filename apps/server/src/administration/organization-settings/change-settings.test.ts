import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { organizationGroups, type StreamId, singleSettings } from '@oxbow/contract'
import { openQueue, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const administrator = await world.person('ada', 'administrator')
const garden = await world.stream('garden', { members: [owner, administrator] })

const change = (by: Person, params: Record<string, string>) => call(world, by, 'PATCH /realm', params)
const success = (fields: object) => ({ status: 200, body: { result: 'success', msg: '', ...fields } })

async function collectRealmEvents(change: () => Promise<unknown>): Promise<object[]> {
  const { owner: events = [] } = await collectEvents(world, { owner }, change, { event_types: ['realm'] })
  return events.map(({ id: _, ...event }) => event)
}

const alone = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value })
const together = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data })

type SettingName = keyof typeof singleSettings
/**
 * Values of the settings: as sent, in the response, and in the event. Settings that are not listed are booleans and are
 * switched.
 */
const settings: Partial<Record<SettingName, [input: string, echoed?: unknown, received?: unknown]>> = {
  name: ['"The Orchard"', 'updated', 'The Orchard'],
  description: ['"We **grow** things."', 'updated', 'We **grow** things.'],
  default_language: ['"de"', 'updated', 'de'],
  waiting_period_threshold: ['14'],
  notifications_stream_id: [String(garden.stream_id)],
  signup_notifications_stream_id: [String(garden.stream_id)],
  message_retention_days: ['30'],
  // The value stays false, because the server does not send digests yet.
  digest_emails_enabled: ['true', false, false],
  bot_creation_policy: ['2'],
  create_stream_policy: ['3'],
  invite_to_stream_policy: ['2'],
  user_group_edit_policy: ['2'],
  private_message_policy: ['2'],
  resolve_topics_policy: ['2'],
  email_address_visibility: ['4'],
  video_chat_provider: ['0'],
  default_code_block_language: ['"python"', 'python', 'python'],
  digest_weekday: ['6'],
}

test('every setting is changed, returned and sent in exactly one event', async () => {
  const readState = (): Promise<Record<string, unknown>> =>
    owner.on('b').events.register({ fetch_event_types: ['realm'] })
  for (const name of Object.keys(singleSettings) as SettingName[]) {
    const switched = JSON.stringify(!(await readState())[`realm_${name}`])
    const [value, echoed = JSON.parse(value), received = JSON.parse(value)] = settings[name] ?? [switched]
    const events = await collectRealmEvents(async () => {
      assert.deepEqual(await change(owner, { [name]: value }), success({ [name]: echoed }))
      const again = await change(owner, { [name]: value })
      // This is the only setting that is returned even if it is unchanged.
      const repeated = name === 'default_code_block_language' ? { [name]: echoed } : {}
      assert.deepEqual(again, success(repeated))
    })
    assert.deepEqual(events, [alone(name, received)])
    assert.deepEqual((await readState())[`realm_${name}`], received)
  }
})

test('the message-editing settings are sent together in one event, and each other group in its own event', async () => {
  const trio = {
    allow_message_editing: true,
    message_content_edit_limit_seconds: 3600,
    allow_community_topic_editing: true,
  }
  const events = await collectRealmEvents(async () => {
    assert.deepEqual(
      await change(administrator, { message_content_edit_limit_seconds: '3600' }),
      success(trio),
    )
    assert.deepEqual(
      await change(administrator, {
        message_content_delete_limit_seconds: '0',
        allow_message_editing: 'true',
      }),
      success({ message_content_delete_limit_seconds: 0 }),
    )
  })

  assert.deepEqual(events, [together(trio), together({ message_content_delete_limit_seconds: 0 })])
  assert.ok(Object.keys(trio).every((name) => name in organizationGroups.default))
})

test('texts are accepted as text or JSON, and names are trimmed', async () => {
  assert.deepEqual(await change(owner, { name: ' The Meadow ', default_language: 'fr' }), {
    status: 200,
    body: { result: 'success', msg: '', name: 'updated', default_language: 'updated' },
  })
  assert.equal((await world.anonymous('b').server.settings()).realm_name, 'The Meadow')
})

test('a negative stream id and an empty language unset their settings', async () => {
  const params = {
    notifications_stream_id: '-7',
    default_code_block_language: '',
    message_retention_days: '"forever"',
  }
  const values = {
    notifications_stream_id: -1,
    default_code_block_language: null,
    message_retention_days: -1,
  }
  const events = await collectRealmEvents(async () =>
    assert.deepEqual(await change(owner, params), success(values)),
  )

  assert.deepEqual(
    new Set(events),
    new Set(Object.entries(values).map(([name, value]) => alone(name, value))),
  )
})

test('authentication methods not in the request stay unchanged, unknown ones are ignored, and at least one stays enabled', async () => {
  const none = refusal('At least one authentication method must be enabled.')
  const methods = (params: object) => change(owner, { authentication_methods: JSON.stringify(params) })

  assert.deepEqual(await methods({ Email: false }), none)
  assert.deepEqual(await methods({}), none)
  // A method that this server does not support does not count as enabled.
  assert.deepEqual(await methods({ Email: false, LDAP: true }), none)
  assert.deepEqual(await methods({ Email: true, LDAP: false, Unheard: false }), success({}))
  assert.deepEqual(await methods({ Email: 1 }), refusal('authentication_methods["Email"] is not a boolean'))
})

test('invalid settings are refused with their errors', async () => {
  const bad = (var_name: string, bad_value: string) =>
    refusal(`Bad value for '${var_name}': ${bad_value}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      var_name,
      bad_value,
    })
  const cases: [name: string, value: string, answer: object][] = [
    ['name', 'x'.repeat(41), refusal('Organization name is too long.')],
    ['name', '"  "', refusal('name cannot be blank.')],
    ['description', 'x'.repeat(1_001), refusal('Organization description is too long.')],
    ['default_language', '"tlh"', refusal("Invalid language 'tlh'")],
    ['invite_required', '1', refusal('invite_required is not a boolean')],
    ['invite_required', 'yes', refusal('Argument "invite_required" is not valid JSON.')],
    ['message_content_edit_limit_seconds', '-1', bad('message_content_edit_limit_seconds', '-1')],
    [
      'message_content_delete_limit_seconds',
      '4294967295',
      bad('message_content_delete_limit_seconds', '4294967295'),
    ],
    ['waiting_period_threshold', '1.5', bad('waiting_period_threshold', '1.5')],
    ['waiting_period_threshold', '2147483648', bad('waiting_period_threshold', '2147483648')],
    ['message_retention_days', '0', bad('message_retention_days', '0')],
    ['message_retention_days', '-1', bad('message_retention_days', '-1')],
    ['message_retention_days', '"realm_default"', bad('message_retention_days', 'realm_default')],
    ['message_retention_days', '[]', refusal('message_retention_days is not a string or integer')],
    ['email_address_visibility', '2', refusal('Invalid email_address_visibility')],
    ['create_stream_policy', '4', refusal('Invalid create_stream_policy')],
    ['bot_creation_policy', '"1"', refusal('bot_creation_policy is not an integer')],
    ['user_group_edit_policy', '3', refusal('Invalid user_group_edit_policy')],
    ['private_message_policy', '0', refusal('Invalid private_message_policy')],
    ['resolve_topics_policy', '4', refusal('Invalid resolve_topics_policy')],
    ['digest_weekday', '7', refusal('Invalid digest_weekday')],
    ['video_chat_provider', '3', refusal('Invalid video_chat_provider 3')],
    ['notifications_stream_id', '999999', refusal('Invalid stream id')],
    ['notifications_stream_id', String(Number.MAX_SAFE_INTEGER), refusal('Invalid stream id')],
    [
      'default_code_block_language',
      'x'.repeat(61),
      refusal('default_code_block_language is too long (limit: 60 characters)'),
    ],
    ['default_code_block_language', 'null', refusal('default_code_block_language is not a string')],
  ]
  for (const [name, value, expected] of cases)
    assert.deepEqual(await change(owner, { [name]: value }), expected, name)
})

test('some settings require an owner, and a stream that the actor cannot see is refused', async () => {
  const denied = refusal('Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
  const vault = await world.stream('vault', { invite_only: true })

  assert.deepEqual(await change(administrator, { message_retention_days: '5' }), denied)
  assert.deepEqual(await change(administrator, { authentication_methods: '{"Email":true}' }), denied)
  const params = { signup_notifications_stream_id: String(vault.stream_id) }
  assert.deepEqual(await change(administrator, params), refusal('Invalid stream id'))
  assert.deepEqual(
    await change(owner, params),
    success({ signup_notifications_stream_id: vault.stream_id as StreamId }),
  )
  // The stream is already set.
  assert.deepEqual(await change(administrator, params), success({}))
})

test('a request with one refused setting changes nothing and sends no events', async () => {
  // An organization that shows addresses to everyone cannot limit whom guests see.
  await owner.organization.update({ guests_see_only_shared_people: false })
  const before = await owner.events.register({ fetch_event_types: ['realm'] })
  const events = await collectRealmEvents(async () => {
    const refused = await change(owner, {
      description: 'Half',
      waiting_period_threshold: '3',
      email_address_visibility: '1',
      notifications_stream_id: '999999',
    })
    assert.deepEqual(refused, refusal('Invalid stream id'))
  })

  const {
    queue_id: _,
    last_event_id: __,
    ...state
  } = await owner.events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual(events, [])
  assert.deepEqual({ ...before, ...state }, before)
})

test('after concurrent changes every client has received the last value', async () => {
  const queue = await openQueue(administrator, { event_types: ['realm'] }, 'b')
  const changes = Array.from({ length: 24 }, (_, index) =>
    (index % 2 ? owner : administrator).on(index % 3 ? 'a' : 'b').organization.update({
      name: `Garden ${index}`,
      message_content_edit_limit_seconds: index,
      email_address_visibility: ([1, 3, 4] as const)[index % 3],
    }),
  )
  await Promise.all(changes)
  await world.settled()

  const received: Record<string, unknown> = {}
  for (const event of await queue.rest()) {
    if (event.type !== 'realm' || event.op === 'deactivated') continue
    if (event.op === 'update') received[`realm_${event.property}`] = event.value
    else for (const [name, value] of Object.entries(event.data)) received[`realm_${name}`] = value
  }
  const state = await owner.on('b').events.register({ fetch_event_types: ['realm'] })
  assert.ok(Object.keys(received).length > 3)
  assert.deepEqual({ ...state, ...received }, state)
})
