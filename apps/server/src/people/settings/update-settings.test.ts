import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type DisplaySettings,
  displaySettings,
  type NotificationSettings,
  notificationSettings,
} from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')

const state: Record<string, unknown> = await iris.events.register()

/** Returns another value for each setting. Settings without a given value are booleans and are switched. */
const changeAll = <Values extends object>(
  names: Record<keyof Values, unknown>,
  given: Partial<Values>,
): Values =>
  Object.fromEntries(
    Object.keys(names).map((name) => [name, given[name as keyof Values] ?? !state[name]]),
  ) as Values

const display = changeAll<DisplaySettings>(displaySettings, {
  color_scheme: 3,
  default_language: 'de',
  emojiset: 'twitter',
  demote_inactive_streams: 2,
  timezone: 'Europe/Berlin',
})

const notifications = changeAll<NotificationSettings>(notificationSettings, {
  notification_sound: 'ding',
  desktop_icon_count_display: 2,
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 1,
})

const quoted = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))

test('every changed display setting causes one event, and only changed ones are returned', async () => {
  const [own, others] = [await openQueue(iris), await openQueue(otto)]

  assert.deepEqual(await iris.settings.updateDisplay(display), display)
  const again = await iris.on('b').settings.updateDisplay({ ...display, dense_mode: true })

  assert.deepEqual(again, { dense_mode: true })
  const names = Object.keys(display)
  const events = await own.take(names.length + 2)
  const received = events.map((event) =>
    event.type === 'update_display_settings' ? [event.setting_name, event.setting] : [event.type],
  )
  assert.deepEqual(received, [...Object.entries(display), ['realm_user'], ['dense_mode', true]])
  assert.ok(events.every((event) => !('user' in event) || event.user === iris.email))
  const [language] = events.filter(
    (event) => 'setting_name' in event && event.setting_name === 'default_language',
  )
  assert.equal(language && 'language_name' in language && language.language_name, 'Deutsch')
  const [event, ...rest] = await others.take(1)
  assert.deepEqual(event, {
    id: event?.id,
    type: 'realm_user',
    op: 'update',
    person: { user_id: iris.user_id, timezone: 'Europe/Berlin' },
  })
  assert.deepEqual(rest, [])
  const state = await iris.on('b').events.register({ fetch_event_types: ['update_display_settings'] })
  for (const name of names)
    assert.equal(state[name as 'timezone'], { ...display, dense_mode: true }[name as 'timezone'])
  assert.equal((await otto.users.get({ user_id: iris.user_id })).user.timezone, 'Europe/Berlin')
})

test('every changed notification setting causes one event, and only changed ones are returned', async () => {
  const [own, others] = [await openQueue(iris), await openQueue(otto)]

  assert.deepEqual(await iris.settings.updateNotifications(notifications), notifications)
  const again = await iris.on('b').settings.updateNotifications({ ...notifications, enable_sounds: true })

  assert.deepEqual(again, { enable_sounds: true })
  const events = await own.take(Object.keys(notifications).length + 1)
  const received = events.map((event) =>
    event.type === 'update_global_notifications' ? [event.notification_name, event.setting] : [event.type],
  )
  assert.deepEqual(received, [...Object.entries(notifications), ['enable_sounds', true]])
  const state = await iris.on('b').events.register({ fetch_event_types: ['update_global_notifications'] })
  for (const [name, value] of Object.entries({ ...notifications, enable_sounds: true }))
    assert.equal(state[name as 'presence_enabled'], value, name)
  await world.settled()
  assert.deepEqual(await others.rest(), [])
})

test('text settings are accepted as text or as JSON', async () => {
  const plain = { default_language: 'fr', emojiset: 'text', timezone: 'Asia/Tokyo' }
  const success = (fields: object) => ({ status: 200, body: { result: 'success', msg: '', ...fields } })

  assert.deepEqual(await call(world, otto, 'PATCH /settings/display', plain), success(plain))
  const other = { default_language: 'en', emojiset: 'google', timezone: 'US/Pacific' }
  assert.deepEqual(await call(world, otto, 'PATCH /settings/display', quoted(other)), success(other))
  for (const [sound, soundValue] of [
    ['ding', 'ding'],
    ['chat', '"chat"'],
  ] as const) {
    const response = await call(world, otto, 'PATCH /settings/notifications', {
      notification_sound: soundValue,
    })
    assert.deepEqual(response, success({ notification_sound: sound }))
  }
  assert.deepEqual(await call(world, otto, 'PATCH /settings/display'), success({}))
  assert.deepEqual(await call(world, otto, 'PATCH /settings/notifications'), success({}))
})

test('a request with an invalid setting changes nothing', async () => {
  const displayed: [name: string, input: string, msg: string][] = [
    ['dense_mode', '1', 'dense_mode is not a boolean'],
    ['dense_mode', 'maybe', 'Argument "dense_mode" is not valid JSON.'],
    ['color_scheme', '9', 'Invalid color_scheme'],
    ['color_scheme', '"2"', 'color_scheme is not an integer'],
    ['demote_inactive_streams', '0', 'Invalid demote_inactive_streams'],
    ['default_language', '"xx"', 'Invalid default_language'],
    ['default_language', '"zh_Hans"', 'Invalid default_language'],
    ['emojiset', '"apple"', 'Invalid emojiset'],
    ...['""', '"Berlin"', '"europe/berlin"', '"+01:00"', '"UTC+1"', '"Europe/"'].map(
      (timezone): [string, string, string] => ['timezone', timezone, 'Invalid timezone'],
    ),
  ]
  for (const [name, value, msg] of displayed) {
    const response = await call(world, owner, 'PATCH /settings/display', {
      twenty_four_hour_time: 'true',
      [name]: value,
    })
    assert.deepEqual(response, refusal(msg), value)
  }
  const notified: [name: string, input: string, msg: string][] = [
    ['enable_sounds', '"yes"', 'enable_sounds is not a boolean'],
    ['notification_sound', '"moo"', "Invalid notification sound 'moo'"],
    ['notification_sound', '', "Invalid notification sound ''"],
    ['desktop_icon_count_display', '4', 'Invalid desktop_icon_count_display'],
  ]
  for (const [name, value, msg] of notified) {
    const response = await call(world, owner, 'PATCH /settings/notifications', {
      presence_enabled: 'false',
      [name]: value,
    })
    assert.deepEqual(response, refusal(msg), value)
  }
  const state = await owner.events.register()
  assert.deepEqual([state.twenty_four_hour_time, state.presence_enabled, state.timezone], [false, true, ''])
})

test('deprecated names of time zones are accepted', async () => {
  for (const timezone of ['UTC', 'Asia/Calcutta', 'Asia/Kolkata', 'Etc/GMT+5', 'America/Argentina/Ushuaia'])
    assert.deepEqual(await owner.settings.updateDisplay({ timezone }), { timezone })
})

test('changing enter_sends emits one event to the account itself', async () => {
  const own = await openQueue(iris)

  for (const enter_sends of [true, true, false]) await iris.settings.setEnterSends({ enter_sends })

  const events = await own.take(2)
  assert.deepEqual(
    events.map((event) => 'setting' in event && [event.type, event.setting]),
    [
      ['update_display_settings', true],
      ['update_display_settings', false],
    ],
  )
  assert.deepEqual(
    await call(world, iris, 'POST /users/me/enter-sends'),
    refusal("Missing 'enter_sends' argument", { code: 'REQUEST_VARIABLE_MISSING', var_name: 'enter_sends' }),
  )
})

test('after concurrent changes the stored setting equals the value in the last event', async () => {
  const fern = await world.person('fern')
  const own = await openQueue(fern)
  const schemes = [2, 3, 1, 2, 3, 1, 2, 3] as const

  await Promise.all(
    schemes.map((color_scheme, index) =>
      fern.on(index % 2 ? 'a' : 'b').settings.updateDisplay({ color_scheme }),
    ),
  )

  await world.settled()
  const last = (await own.rest()).at(-1)
  const { color_scheme } = await fern.events.register({ fetch_event_types: ['update_display_settings'] })
  assert.equal(last && 'setting' in last && last.setting, color_scheme)
})
