import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, BotType, listEndpoints } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
// Gives streams ids that differ from every other number in a response.
await world.database.query(`select setval('stream_id_seq', 500000)`)
const mia = await world.person('mia')
const callers: Record<string, Person> = {
  member: mia,
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', mia),
  'outgoing webhook': await world.bot('wren', mia, BotType.outgoingWebhook),
}
const open = await world.stream('open', { members: [owner, ...Object.values(callers)] })
const message_id = await sendToStream(owner, open, 'roses')
const scheduled = new Map<Person, number>()
for (const caller of Object.values(callers))
  scheduled.set(caller, await schedule(caller, { to: open.stream_id }))
// Lets only administrators create streams, because users who may create streams necessarily learn
// that a name is taken.
await setOrganizationRules(world, 'create_stream_policy = 2')

interface Stream {
  name: string
  stream_id: number
}

const unknown: Stream = { name: 'nowhere at all', stream_id: 987_654 }
const hidden: Record<string, Stream> = {
  private: await world.stream('secret plans', { invite_only: true }),
  protected: await world.stream('secret notes', { invite_only: true, history_public_to_subscribers: false }),
}
const hiddenFromGuests = { public: await world.stream('public talk') }

type Probe = (stream: Stream, caller: Person) => object[]
const byId: Probe = ({ stream_id }) => [{ stream_id }]
const narrowed = (operand: string | number, negated = false) => ({
  anchor: 'newest',
  num_before: 10,
  num_after: 0,
  narrow: [{ operator: 'stream', operand, negated }],
})

/** Requests about a stream by its name or id, for every endpoint that takes a stream. */
const probes: Record<string, Probe> = {
  'messages.send': ({ name, stream_id }) =>
    [name, [name], stream_id, [stream_id]].map((to) => ({ type: 'stream', to, topic: 'a', content: 'b' })),
  'scheduledMessages.create': ({ name, stream_id }) =>
    [name, stream_id].map((to) => ({
      type: 'stream',
      to,
      topic: 'a',
      content: 'b',
      scheduled_delivery_timestamp: nextWeek(),
    })),
  'scheduledMessages.edit': ({ name, stream_id }, caller) =>
    [name, stream_id].map((to) => ({ scheduled_message_id: scheduled.get(caller), type: 'stream', to })),
  'messages.list': ({ name, stream_id }) => [
    narrowed(name),
    narrowed(name.toUpperCase()),
    narrowed(stream_id),
    narrowed(name, true),
    narrowed(stream_id, true),
  ],
  'messages.matchesNarrow': ({ name, stream_id }) =>
    [name, stream_id].map((operand) => ({ msg_ids: [message_id], narrow: narrowed(operand).narrow })),
  'messages.edit': ({ stream_id }) => [{ message_id, stream_id }],
  'messages.markStreamRead': byId,
  'messages.markTopicRead': ({ stream_id }) => [{ stream_id, topic_name: 'a' }],
  'streams.getId': ({ name }) => [{ stream: name }, { stream: name.toUpperCase() }],
  'subscriptions.subscribe': ({ name }) => [
    { subscriptions: [{ name }] },
    { subscriptions: [{ name: name.toUpperCase() }] },
    { subscriptions: [{ name }], authorization_errors_fatal: false },
    { subscriptions: [{ name }, { name: open.name }] },
  ],
  'subscriptions.change': ({ name }) => [{ add: [{ name }] }, { delete: [name] }],
  'subscriptions.unsubscribe': ({ name }, { user_id }) => [
    { subscriptions: [name] },
    { subscriptions: [name.toUpperCase()] },
    { subscriptions: [open.name, name], principals: [user_id] },
  ],
  'subscriptions.setProperties': ({ stream_id }) => [
    { subscription_data: [{ stream_id, property: 'is_muted', value: true }] },
  ],
  'subscriptions.setProperty': ({ stream_id }) => [{ stream_id, property: 'is_muted', value: 'true' }],
  'subscriptions.status': ({ stream_id }, { user_id }) =>
    [user_id, owner.user_id].map((id) => ({ user_id: id, stream_id })),
  'subscriptions.muteTopic': ({ name, stream_id }) =>
    ['add', 'remove'].flatMap((op) => [
      { stream: name, topic: 'a', op },
      { stream_id, topic: 'a', op },
    ]),
  'subscriptions.setAttention': ({ stream_id }) =>
    [0, 1, 2, 3].map((visibility_policy) => ({ stream_id, topic: 'a', visibility_policy })),
  'bots.create': ({ name }) => [
    { full_name: 'Finch', short_name: 'finch', default_sending_stream: name },
    { full_name: 'Finch', short_name: 'finch', default_events_register_stream: name },
  ],
  'bots.update': ({ name }) => [
    { bot_id: callers.bot?.user_id, default_sending_stream: name },
    { bot_id: callers.bot?.user_id, default_events_register_stream: name },
  ],
  'invitations.send': ({ stream_id }) => [
    { invitee_emails: 'a@garden.example', stream_ids: [stream_id] },
    { invitee_emails: 'a@garden.example', stream_ids: [open.stream_id, stream_id] },
  ],
  'permissions.explain': ({ stream_id }, { user_id }) => [
    ...['see_stream', 'read_history', 'subscribe', 'add_subscribers', 'post', 'edit_stream'].map(
      (action) => ({
        user_id,
        action,
        stream_id,
      }),
    ),
    { user_id, action: 'archive_stream', stream_id },
    { user_id, action: 'move_message', stream_id, message_id },
  ],
}
/** Endpoints that compare names without looking up a stream, or that concern users. */
const withoutStreams = [
  'events.register',
  'events.poll',
  'typing.tell',
  'typing.tellShort',
  'userGroups.changeMembers',
  'userGroups.changeSubgroups',
]

const takesStream =
  /^(stream|stream_id|stream_ids|default_\w+_stream|to|narrow|subscriptions|add|delete|subscription_data)$/
const endpoints = listEndpoints().filter(
  ({ name, endpoint }) =>
    endpoint.auth === 'user' &&
    !withoutStreams.includes(name) &&
    !endpoint.only?.some((only) => only === 'administrators' || only === 'owners') &&
    Object.keys(endpoint.params).some((param) => takesStream.test(param)),
)
const probeOf = (name: string, path: string): Probe | undefined =>
  probes[name] ?? (path.includes('{stream_id}') ? byId : undefined)

/**
 * Returns the response with the stream's name and id replaced, so that responses about different
 * streams can be compared.
 */
async function ask(caller: Person, endpoint: string, params: object, { name, stream_id }: Stream) {
  const [group = '', call = ''] = endpoint.split('.')
  const calls = caller as unknown as Record<string, Record<string, (params: object) => Promise<object>>>
  const response = await calls[group]?.[call]?.(params).catch((error: unknown) => {
    if (error instanceof ApiError) return { status: error.status, ...error.body }
    throw error
  })
  return JSON.stringify(response)
    .replaceAll(/"age_seconds":\d+/g, '"age_seconds":0')
    .replaceAll(new RegExp(name, 'gi'), 'the stream')
    .replaceAll(new RegExp(`\\b${stream_id}\\b`, 'g'), 'its id')
}

test('every endpoint that takes a stream has a probe in this file', () => {
  const missing = endpoints.filter(({ name, endpoint }) => !probeOf(name, endpoint.path))
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

for (const [kind, caller] of Object.entries(callers)) {
  test(`a caller (${kind}) cannot distinguish a hidden stream from one that does not exist`, async () => {
    const streams = kind === 'guest' ? { ...hidden, ...hiddenFromGuests } : hidden
    const differences: string[] = []
    for (const { name, endpoint } of endpoints) {
      const probe = probeOf(name, endpoint.path)
      const expected = probe?.(unknown, caller) ?? []
      for (const [index, params] of expected.entries()) {
        const answerForUnknown = await ask(caller, name, params, unknown)
        for (const [which, stream] of Object.entries(streams)) {
          const answerForHidden = await ask(caller, name, probe?.(stream, caller)[index] ?? {}, stream)
          if (answerForHidden !== answerForUnknown)
            differences.push(
              `${name} ${JSON.stringify(params)}, ${which}: ${answerForHidden} is not ${answerForUnknown}`,
            )
        }
      }
    }
    assert.deepEqual(differences, [])
  })
}
