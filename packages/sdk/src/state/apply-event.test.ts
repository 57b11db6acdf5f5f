import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, ListedUser, UserId } from '@oxbow/contract'
import { after } from '../../test/after.ts'
import { applyEvent } from './apply-event.ts'
import type { State } from './state.ts'

const provider = '/user_avatars/1/2-0123456789abcdef.svg?v=2'

function listed(id: number, more: Partial<ListedUser> = {}): ListedUser {
  return {
    user_id: id as UserId,
    email: `user${id}@garden.example`,
    full_name: `User ${id}`,
    is_bot: false,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    avatar_version: 1,
    avatar_url: null,
    timezone: '',
    date_joined: '2026-01-01T00:00:00+00:00',
    bot_type: null,
    profile_data: {},
    ...more,
  }
}

const versions = {
  queue_id: 'q',
  last_event_id: 4,
  chat_version: '3.1',
  chat_feature_level: 27,
  server_version: '0',
}

/** The state of user 2, with the users 1 and 2. */
const before: State = {
  ...versions,
  realm_users: [listed(1), listed(2)],
  realm_non_active_users: [listed(3)],
  user_id: 2 as UserId,
  email: 'user2@garden.example',
  delivery_email: 'user2@garden.example',
  full_name: 'User 2',
  avatar_source: 'G',
  avatar_url: provider,
  avatar_url_medium: provider,
  is_admin: false,
  is_owner: false,
  is_guest: false,
  can_create_streams: true,
  can_subscribe_other_users: true,
}

const person = (change: object) => ({ type: 'realm_user', op: 'update', person: change })
const userIn = ({ realm_users, realm_non_active_users }: State, id: number) =>
  [...(realm_users ?? []), ...(realm_non_active_users ?? [])].find(({ user_id }) => user_id === id)

test('an event of an unknown type changes nothing', () => {
  assert.equal(applyEvent(before, { id: 5, type: 'weather', op: 'rain' } as never), before)
  assert.equal(applyEvent(before, { id: 5, type: 'heartbeat' }), before)
})

test('events add no fields that were not fetched', () => {
  assert.equal(
    applyEvent(versions, { id: 5, ...person({ user_id: 2, full_name: 'Rosa' }) } as Event),
    versions,
  )
  const fields = { type: 'custom_profile_fields', op: 'add', fields: [] }
  assert.deepEqual(after(versions, fields), versions)
  const sounds = { type: 'update_global_notifications', user: '', notification_name: 'enable_sounds' }
  assert.deepEqual(after(versions, { ...sounds, setting: false }), versions)
})

test('users that did not change stay the same objects', () => {
  const state = after(before, person({ user_id: 2, full_name: 'Rosa' }))

  assert.equal(userIn(state, 1), userIn(before, 1))
  assert.equal(state.realm_non_active_users, before.realm_non_active_users)
  assert.equal(userIn(state, 2)?.full_name, 'Rosa')
  assert.equal(state.full_name, 'Rosa')
})

test("client_external_avatar makes avatars null in lists, but not in the fields of the user's own account", () => {
  const urls = { avatar_url: provider, avatar_url_medium: `${provider}&s=500` }
  const change = person({ user_id: 2, avatar_source: 'G', avatar_version: 2, ...urls })

  const state = after(before, change, { client_external_avatar: true })
  const plain = after(before, change)
  const hidden = after({ ...before, realm_email_address_visibility: 3 }, change, {
    client_external_avatar: true,
  })

  assert.equal(userIn(state, 2)?.avatar_url, null)
  assert.equal(state.avatar_url, provider)
  assert.equal(userIn(plain, 2)?.avatar_url, provider)
  assert.equal(userIn(hidden, 2)?.avatar_url, provider)
})

test('an uploaded avatar keeps its URL in lists with client_external_avatar', () => {
  const url = '/user_avatars/1/abc.png?v=2'
  const avatar = { avatar_source: 'U', avatar_version: 2, avatar_url: url, avatar_url_medium: url }

  const state = after(before, person({ user_id: 1, ...avatar }), { client_external_avatar: true })

  assert.equal(userIn(state, 1)?.avatar_url, url)
  assert.equal(userIn(state, 1)?.avatar_version, 2)
  assert.equal(state.avatar_source, 'G')
})

test('user events change the owner of a bot and a time zone', () => {
  const state = after(after(before, person({ user_id: 1, bot_owner_id: 2 })), {
    ...person({ user_id: 3, timezone: 'Asia/Tokyo' }),
  })

  assert.equal(userIn(state, 1)?.bot_owner_id, 2)
  assert.equal(userIn(state, 3)?.timezone, 'Asia/Tokyo')
})

test('removing a profile field removes its values', () => {
  const profile_data = { 7: { value: 'roses' }, 8: { value: 'tulips' } }
  const start = {
    ...before,
    realm_users: [listed(1, { profile_data }), listed(2)],
    custom_profile_fields: [],
  }
  const fields = [{ id: 8, name: 'Plant', type: 1, hint: '', field_data: '', order: 8 }]

  const state = after(start, { type: 'custom_profile_fields', op: 'delete', fields })

  assert.deepEqual(state.custom_profile_fields, fields)
  assert.deepEqual(userIn(state, 1)?.profile_data, { 8: { value: 'tulips' } })
  assert.equal(userIn(state, 2), start.realm_users[1])
})

test("the user's own delivery address is listed only if those of others are", () => {
  const change = person({ user_id: 2, delivery_email: 'new@garden.example' })
  const seeing = { ...before, realm_users: [listed(1, { delivery_email: 'one@garden.example' }), listed(2)] }

  assert.equal(userIn(after(before, change), 2)?.delivery_email, undefined)
  assert.equal(userIn(after(seeing, change), 2)?.delivery_email, 'new@garden.example')
  assert.equal(after(before, change).delivery_email, 'new@garden.example')
})

test("settings events change the user's own settings in the state", () => {
  const start: State = { ...versions, dense_mode: true, enable_sounds: true, color_scheme: 1 }
  const display = { type: 'update_display_settings', user: 'user2@garden.example' }

  const state = after(after(start, { ...display, setting_name: 'color_scheme', setting: 2 }), {
    type: 'update_global_notifications',
    user: '',
    notification_name: 'enable_sounds',
    setting: false,
  })

  assert.deepEqual(state, { ...start, color_scheme: 2, enable_sounds: false })
})

test('an organization event changes its setting', () => {
  const start: State = { ...versions, realm_name: 'Garden', realm_default_code_block_language: 'js' }
  const update = { type: 'realm', op: 'update' }

  const named = after(start, { ...update, property: 'name', value: 'Park' })
  const state = after(named, { ...update, property: 'default_code_block_language', value: null })

  assert.deepEqual(state, { ...start, realm_name: 'Park', realm_default_code_block_language: null })
})

test('a plan event changes the upload quota', () => {
  const start: State = {
    ...versions,
    realm_plan_type: 1,
    realm_upload_quota: null,
    chat_plan_is_not_limited: true,
  }

  const change = { type: 'realm', op: 'update', property: 'plan_type', value: 2 }
  const state = after(start, { ...change, extra_data: { upload_quota: 500 } })

  assert.equal(state.chat_plan_is_not_limited, false)
  assert.equal(state.realm_upload_quota, 500)
})

test('a policy event changes what the account may do', () => {
  const policies = {
    realm_create_stream_policy: 1,
    realm_invite_to_stream_policy: 1,
    realm_waiting_period_threshold: 0,
  }
  const start: State = { ...before, ...policies }
  const update = { type: 'realm', op: 'update', property: 'create_stream_policy' }
  const asAdministrator = { ...start, realm_users: [listed(1), listed(2, { is_admin: true })] }
  const joinedNow = new Date().toISOString()
  const asNewcomer = { ...start, realm_users: [listed(2, { date_joined: joinedNow })] }

  assert.equal(after(start, { ...update, value: 2 }).can_create_streams, false)
  assert.equal(after(start, { ...update, value: 2 }).can_subscribe_other_users, true)
  assert.equal(after(asAdministrator, { ...update, value: 2 }).can_create_streams, true)
  const full = after(asNewcomer, { ...update, value: 3 })
  assert.equal(full.can_create_streams, true)
  const waits = { type: 'realm', op: 'update', property: 'waiting_period_threshold', value: 3 }
  assert.equal(after(full, waits).can_create_streams, false)
})

test('with client_external_avatar, external avatars become null when addresses become visible', () => {
  const external = '/user_avatars/1/2-0123456789abcdef.svg?v=1'
  const start = {
    ...before,
    realm_email_address_visibility: 3,
    realm_users: [
      listed(1, { avatar_url: external }),
      listed(2, { avatar_url: '/user_avatars/1/x.png?v=2' }),
    ],
  } as State
  const event = { type: 'realm', op: 'update', property: 'email_address_visibility' }
  const urls = (state: State) => state.realm_users?.map(({ avatar_url }) => avatar_url)

  const computing = { client_external_avatar: true }
  assert.deepEqual(urls(after(start, { ...event, value: 1 }, computing)), [null, '/user_avatars/1/x.png?v=2'])
  assert.equal(after(start, { ...event, value: 4 }, computing).realm_users, start.realm_users)
  assert.equal(after(start, { ...event, value: 1 }).realm_users, start.realm_users)
})

test('the deactivation of an organization does not change the state', () => {
  assert.equal(after(before, { type: 'realm', op: 'deactivated', realm_id: 1 }), before)
})

test('an update_dict event changes several settings', () => {
  const start: State = {
    ...versions,
    realm_authentication_methods: { Email: true },
    realm_email_auth_enabled: true,
    realm_password_auth_enabled: true,
    realm_icon_url: '/a',
    realm_icon_source: 'G',
  }
  const methods = { authentication_methods: { Email: false, LDAP: true } }

  const signIn = after(start, { type: 'realm', op: 'update_dict', property: 'default', data: methods })
  const icon = { icon_url: '/b', icon_source: 'U' }
  const state = after(signIn, { type: 'realm', op: 'update_dict', property: 'icon', data: icon })

  assert.deepEqual(state, {
    ...versions,
    realm_authentication_methods: { Email: false, LDAP: true },
    realm_email_auth_enabled: false,
    realm_password_auth_enabled: true,
    realm_icon_url: '/b',
    realm_icon_source: 'U',
  })
})

test('a custom emoji event replaces all emoji', () => {
  const owl = { id: '1', name: 'owl', source_url: '/1.png', deactivated: false, author_id: 2 as UserId }
  const start = { ...before, realm_emoji: { 1: owl } } as State
  const realm_emoji = { 1: { ...owl, deactivated: true }, 2: { ...owl, id: '2' } }

  const state = after(start, { type: 'realm_emoji', op: 'update', realm_emoji })

  assert.deepEqual(state, { ...start, realm_emoji })
  assert.deepEqual(after(before, { type: 'realm_emoji', op: 'update', realm_emoji }), before)
})
