import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { initialState } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const setRule = (rule: string) => world.database.query(`update organization set ${rule}`)

test('register without fetch_event_types returns the whole state', async () => {
  const state = await world.owner.events.register()

  assert.deepEqual(
    Object.keys(initialState).filter((name) => !Object.hasOwn(state, name)),
    [],
  )
})

test('both nodes return the same server generation', async () => {
  const a = await world.owner.on('a').events.register({ fetch_event_types: ['realm'] })
  const b = await world.owner.on('b').events.register({ fetch_event_types: ['realm'] })

  assert.equal(typeof a.server_generation, 'number')
  assert.equal(a.server_generation, b.server_generation)
})

test('register lists active and deactivated users separately, by id', async () => {
  const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
  await world.owner.users.deactivate({ user_id: otto.user_id })

  const state = await iris.events.register({ fetch_event_types: ['realm_user'] })

  const ids = state.realm_users?.map(({ user_id }) => user_id) ?? []
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  assert.ok(ids.includes(iris.user_id) && ids.includes(rosa.user_id))
  assert.deepEqual(
    state.realm_non_active_users?.map(({ user_id }) => user_id),
    [otto.user_id],
  )
  assert.equal(
    state.realm_users?.some((user) => 'is_active' in user),
    false,
  )
})

test('a client computes avatars only if it sees the addresses that they are derived from', async () => {
  const linus = await world.person('linus')
  const registration = { fetch_event_types: ['realm_user'], client_external_avatar: true }
  const avatars = async () =>
    (await linus.events.register(registration)).realm_users?.map((user) => user.avatar_url)

  assert.ok((await avatars())?.every((url) => url === null))
  await setRule('email_address_visibility = 4')
  const shown = await avatars()
  await setRule('email_address_visibility = 1')
  assert.ok(shown?.every((url) => typeof url === 'string'))
})

test("a new account starts with the organization's language and clock format", async () => {
  await setRule("default_language = 'de', default_twenty_four_hour_time = true")
  const vera = await world.person('vera')
  await setRule("default_language = 'en', default_twenty_four_hour_time = false")

  const state = await vera.events.register({ fetch_event_types: ['update_display_settings'] })

  assert.equal(state.default_language, 'de')
  assert.equal(state.twenty_four_hour_time, true)
  assert.equal(state.dense_mode, true)
})

test("can_create_streams depends on the organization's policy and the account's role", async () => {
  const member = await world.person('mika')
  const guest = await world.person('gil', 'guest')
  const registration = { fetch_event_types: ['realm_user'] }
  const may = async ({ events }: typeof member) => (await events.register(registration)).can_create_streams

  assert.deepEqual([await may(world.owner), await may(member), await may(guest)], [true, true, false])
  await setRule('create_stream_policy = 3, waiting_period_threshold = 3')
  assert.deepEqual([await may(world.owner), await may(member), await may(guest)], [true, false, false])
  await setRule('create_stream_policy = 2')
  assert.deepEqual([await may(world.owner), await may(member), await may(guest)], [true, false, false])
})

test('the state lists webhook integrations and stop words, and has no Zoom token', async () => {
  const types = ['realm_embedded_bots', 'realm_incoming_webhook_bots', 'stop_words', 'video_calls']
  const state = await world.owner.events.register({ fetch_event_types: types })

  assert.deepEqual(state.realm_embedded_bots, [])
  assert.ok(state.realm_incoming_webhook_bots?.some(({ name }) => name === 'github'))
  assert.ok(['the', 'and', 'x'].every((word) => state.stop_words?.includes(word)))
  assert.ok(!state.stop_words?.includes('rose'))
  assert.equal(state.has_zoom_token, false)
})

test('the state enables uploads and previews of linked pages, and disables digests', async () => {
  await setRule('digest_emails_enabled = true')
  const state = await world.owner.events.register({ fetch_event_types: ['realm'] })

  assert.deepEqual(
    [
      state.max_file_upload_size_mib,
      state.settings_send_digest_emails,
      state.realm_digest_emails_enabled,
      state.server_inline_url_embed_preview,
    ],
    [25, false, false, true],
  )
})
