import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Role } from '@oxbow/contract'
import { after, afterAll } from '../../test/after.ts'
import {
  garden,
  ids,
  namesIn,
  pond,
  roses,
  shed,
  stateOf,
  subscribersIn,
  subscription,
  tools,
  users,
  withoutSubscribers,
} from '../../test/example-streams.ts'
import type { State } from './state.ts'

const member = stateOf(Role.member)
const administrator = stateOf(Role.administrator)
const guest = stateOf(Role.guest)

function update(name: keyof typeof ids, property: string, value: unknown, more: object = {}) {
  return { type: 'stream', op: 'update', stream_id: ids[name], name, property, value, ...more }
}
const close = (name: keyof typeof ids) =>
  update(name, 'invite_only', true, { history_public_to_subscribers: false })

/** Returns every entry of a stream in the state. */
function entriesOf(state: State, id: number): object[] {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const { realm_default_streams = [], realm_default_stream_groups = [] } = state
  const grouped = realm_default_stream_groups.flatMap((group) => group.streams)
  return [streams, subscriptions, unsubscribed, never_subscribed, realm_default_streams, grouped]
    .flat()
    .filter(({ stream_id }) => stream_id === id)
}

test('an update event changes the stream in every list', () => {
  const counts = { garden: 4, roses: 2, tools: 4, vault: 1 }

  for (const [name, count] of Object.entries(counts)) {
    const key = name as keyof typeof counts
    const state = after(administrator, update(key, 'message_retention_days', 30))

    const days = entriesOf(state, ids[key]).map(
      (entry) => 'message_retention_days' in entry && entry.message_retention_days,
    )
    assert.deepEqual(days, Array(count).fill(30))
  }
})

test('an update event changes first_message_id, also to null', () => {
  const firstAfter = (...values: (number | null)[]) => {
    const events = values.map((value) => update('garden', 'first_message_id', value))
    const entries = entriesOf(afterAll(member, events), ids.garden)
    return entries.map((entry) => 'first_message_id' in entry && entry.first_message_id)
  }

  assert.deepEqual(firstAfter(30), [30, 30, 30, 30])
  assert.deepEqual(firstAfter(30, null), [null, null, null, null])
})

test('an update event also changes the derived fields', () => {
  const text = update('garden', 'description', 'Green', { rendered_description: '<p>Green</p>' })

  const described = after(member, text).streams?.[0]
  const closed = after(member, close('garden')).streams?.[0]

  assert.deepEqual(described, { ...garden, description: 'Green', rendered_description: '<p>Green</p>' })
  assert.deepEqual(closed, { ...garden, invite_only: true, history_public_to_subscribers: false })
})

test('streams that did not change stay the same objects', () => {
  const state = after(member, update('garden', 'stream_post_policy', 2))

  assert.equal(state.streams?.[1], member.streams?.[1])
  assert.equal(state.subscriptions?.[1], member.subscriptions?.[1])
  assert.equal(state.subscriptions?.[0]?.subscribers, member.subscriptions?.[0]?.subscribers)
  assert.equal(state.unsubscribed, member.unsubscribed)
  assert.equal(state.muted_topics, member.muted_topics)
})

test('an email_address update changes only entries that have the field', () => {
  const state = afterAll(
    administrator,
    (['garden', 'roses', 'tools'] as const).map((name) =>
      update(name, 'email_address', `${name}@mail.example`),
    ),
  )

  assert.equal(state.subscriptions?.[0]?.email_address, 'garden@mail.example')
  assert.equal(state.unsubscribed?.[0]?.email_address, 'roses@mail.example')
  assert.equal(state.streams, administrator.streams)
  assert.equal(state.never_subscribed, administrator.never_subscribed)
  assert.equal(state.realm_default_streams, administrator.realm_default_streams)
})

test('renaming moves the stream in every list', () => {
  const state = afterAll(administrator, [
    update('garden', 'name', 'zoo'),
    update('roses', 'name', 'thistles'),
    update('tools', 'name', 'yard'),
  ])

  assert.deepEqual(namesIn(state, 'streams'), ['pond', 'thistles', 'yard', 'zoo'])
  assert.deepEqual(namesIn(state, 'subscriptions'), ['pond', 'zoo'])
  assert.deepEqual(namesIn(state, 'unsubscribed'), ['shed', 'thistles'])
  assert.deepEqual(namesIn(state, 'never_subscribed'), ['vault', 'yard'])
  assert.deepEqual(namesIn(state, 'realm_default_streams'), ['yard', 'zoo'])
  const groups = state.realm_default_stream_groups?.map(({ streams }) => streams.map(({ name }) => name))
  assert.deepEqual(groups, [['yard', 'zoo']])
})

test('renaming a stream renames it in muted topics', () => {
  const state = after(member, update('garden', 'name', 'park'))

  assert.deepEqual(state.muted_topics, [
    ['park', 'weeds', 100],
    ['roses', 'thorns', 200],
    ['park', 'moles', 300],
  ])
  assert.equal(state.muted_topics?.[1], member.muted_topics?.[1])
})

test('muted topics are renamed even if no streams were fetched', () => {
  const { muted_topics, queue_id } = member

  const state = after({ queue_id, muted_topics } as State, update('garden', 'name', 'park'))

  assert.deepEqual(
    state.muted_topics?.map(([name]) => name),
    ['park', 'roses', 'park'],
  )
})

test('a stream can take the former name of another', () => {
  const state = after(after(member, update('garden', 'name', 'park')), update('roses', 'name', 'garden'))

  assert.deepEqual(namesIn(state, 'streams'), ['garden', 'park', 'pond', 'tools'])
  assert.deepEqual(
    state.muted_topics?.map(([name]) => name),
    ['park', 'garden', 'park'],
  )
})

test('a stream that becomes private stays listed for subscribers', () => {
  const state = after(member, close('garden'))

  assert.deepEqual(namesIn(state, 'streams'), namesIn(member, 'streams'))
  assert.deepEqual(subscribersIn(state, ids.garden), [1, 2, 5])
})

test('an unsubscribed stream that becomes private hides its subscribers', () => {
  const state = after(member, close('roses'))

  assert.deepEqual(namesIn(state, 'streams'), ['garden', 'pond', 'tools'])
  const closed = { ...roses, invite_only: true, history_public_to_subscribers: false }
  assert.deepEqual(state.unsubscribed?.[0], subscription(closed))
})

test('a stream that becomes private keeps its subscribers for administrators', () => {
  const state = afterAll(administrator, [close('roses'), close('tools')])

  assert.deepEqual(namesIn(state, 'streams'), ['garden', 'pond'])
  assert.deepEqual(namesIn(state, 'unsubscribed'), ['roses', 'shed'])
  assert.deepEqual(namesIn(state, 'never_subscribed'), ['tools', 'vault'])
  assert.deepEqual(subscribersIn(state, ids.roses), [5, 9])
  assert.deepEqual(subscribersIn(state, ids.tools), [5, 9])
})

test('a never subscribed stream that becomes private hides its subscribers', () => {
  assert.deepEqual(subscribersIn(after(member, close('tools')), ids.tools), undefined)
})

test('a stream that becomes private stays listed if subscriptions were not fetched', () => {
  const { subscriptions: _, ...start } = member

  assert.deepEqual(namesIn(after(start, close('garden')), 'streams'), namesIn(member, 'streams'))
})

const open = (name: keyof typeof ids) =>
  update(name, 'invite_only', false, { history_public_to_subscribers: true })

test('for its subscribers, a stream that becomes public changes nothing but its privacy flags', () => {
  const state = after(member, open('pond'))

  const opened = { ...pond, invite_only: false, history_public_to_subscribers: true }
  assert.deepEqual(state, {
    ...member,
    streams: member.streams?.with(1, opened),
    subscriptions: member.subscriptions?.with(1, subscription(opened, users(2, 5))),
  })
  assert.equal(after(member, open('roses')), member)
})

test('a stream that becomes public is listed for former subscribers, except guests', () => {
  const opened = { ...shed, invite_only: false, history_public_to_subscribers: true }

  const state = after(member, open('shed'))
  const administratorState = after(administrator, open('vault'))
  const guestState = after(guest, open('shed'))

  assert.deepEqual(state.streams, [garden, pond, roses, opened, tools])
  assert.deepEqual(state.unsubscribed?.[1], subscription(opened))
  assert.deepEqual(namesIn(administratorState, 'streams'), ['garden', 'pond', 'roses', 'tools', 'vault'])
  assert.deepEqual(subscribersIn(administratorState, ids.vault), [5, 9])
  assert.equal(guestState.streams, guest.streams)
})

test('a stream can become private and public again around an unsubscription', () => {
  const leave = { type: 'subscription', op: 'remove', subscriptions: [garden] }

  const state = afterAll(withoutSubscribers(member), [close('garden'), open('garden'), leave])

  assert.deepEqual(state.streams, member.streams)
})

test('an unsubscribed stream that becomes public gets its subscribers', () => {
  const opened = { ...shed, invite_only: false, history_public_to_subscribers: true }
  const seen = { type: 'stream', op: 'create', streams: [{ ...opened, subscribers: users(5, 9) }] }

  const state = afterAll(member, [open('shed'), seen], { include_subscribers: true })

  assert.deepEqual(state.streams, [garden, pond, roses, opened, tools])
  assert.deepEqual(state.unsubscribed?.[1], subscription(opened, users(5, 9)))
})

test('updates of unknown streams change nothing', () => {
  const start = { user_id: member.user_id } as State

  assert.equal(after(member, update('vault', 'name', 'safe')), member)
  assert.equal(after(member, update('garden', 'weather', 'rain')), member)
  assert.equal(after(member, update('garden', 'message_retention_days', null)), member)
  assert.equal(after(start, update('garden', 'name', 'park')), start)
  assert.equal(after(start, close('garden')), start)
})
