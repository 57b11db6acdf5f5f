import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { outcomeOf } from '@oxbow/testkit/calls/permissions'
import { react } from '@oxbow/testkit/calls/reactions'
import { statusOf, upload } from '@oxbow/testkit/calls/uploads'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const former: Record<string, Person> = {
  administrator: await world.person('ada', 'administrator'),
  member: await world.person('mia'),
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', await world.person('rob')),
}
/** Users who leave a stream before it is archived. */
const otto = await world.person('otto')
const otis = await world.person('otis', 'guest')
await setOrganizationRules(world, 'allow_message_editing = true, message_content_edit_limit_seconds = 0')
await setOrganizationRules(world, 'allow_community_topic_editing = true, allow_message_deleting = true')
await setOrganizationRules(world, 'message_content_delete_limit_seconds = 0')

/**
 * The former members for each kind of stream. Only guests lose access when they leave a public
 * stream.
 */
const kinds = {
  private: Object.entries(former),
  protected: Object.entries(former),
  public: Object.entries(former).filter(([role]) => role === 'guest'),
}
/**
 * Former members still get events about the stream itself, so the tests collect only events about
 * messages.
 */
const aboutMessages = {
  event_types: ['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags'],
}
let made = 0

async function makeStream(kind: keyof typeof kinds, people: readonly Person[]): Promise<MadeStream> {
  return world.stream(`stream ${++made}`, {
    members: [owner, iris, ...people],
    invite_only: kind !== 'public',
    history_public_to_subscribers: kind !== 'protected',
  })
}

const dismiss = ({ name }: MadeStream, people: readonly Person[]) =>
  owner.subscriptions.unsubscribe({
    subscriptions: [name],
    principals: people.map(({ user_id }) => user_id),
  })

/** All requests that read a message. Each returns whether the message was visible. */
const reads: Record<string, (by: Person, id: MessageId, stream: MadeStream) => Promise<boolean>> = {
  raw: (by, message_id) => isDone(by.messages.getRaw({ message_id })),
  history: (by, message_id) => isDone(by.messages.history({ message_id })),
  'no narrow': (by, id) => isListed(by, id, []),
  'around the message': async (by, id) => {
    const { messages } = await by.messages.list({ anchor: String(id), num_before: 0, num_after: 0 })
    return messages.length > 0
  },
  id: (by, id) => isListed(by, id, [{ operator: 'id', operand: String(id) }]),
  stream: (by, id, { stream_id }) => isListed(by, id, [{ operator: 'stream', operand: stream_id as number }]),
  topic: (by, id) => isListed(by, id, [{ operator: 'topic', operand: 'moles' }]),
  'another topic': (by, id) => isListed(by, id, [{ operator: 'topic', operand: 'weeds' }]),
  sender: (by, id) => isListed(by, id, [{ operator: 'sender', operand: iris.user_id as number }]),
  home: (by, id) => isListed(by, id, [{ operator: 'in', operand: 'home' }]),
  starred: (by, id) => isListed(by, id, [{ operator: 'is', operand: 'starred' }]),
  mentioned: (by, id) => isListed(by, id, [{ operator: 'is', operand: 'mentioned' }]),
  search: (by, id) => isListed(by, id, [{ operator: 'search', operand: 'garden' }]),
  'search for new text': (by, id) => isListed(by, id, [{ operator: 'search', operand: 'marmalade' }]),
  'search among starred': (by, id) =>
    isListed(by, id, [
      { operator: 'is', operand: 'starred' },
      { operator: 'search', operand: 'garden' },
    ]),
  matches_narrow: async (by, id) => {
    const narrow = [{ operator: 'has', operand: 'link', negated: true }]
    return Object.keys((await by.messages.matchesNarrow({ msg_ids: [id], narrow })).messages).length > 0
  },
  flags: (by, id) => isDone(by.messages.changeFlags({ messages: [id], op: 'add', flag: 'collapsed' })),
  star: (by, id) => isDone(by.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })),
}

/** Larger than the number of messages that a test sends after the message that it looks for. */
const maxNewer = 20

type Narrow = NonNullable<Parameters<Person['messages']['list']>[0]['narrow']>

async function isListed(by: Person, id: MessageId, narrow: Narrow): Promise<boolean> {
  const { messages } = await by.messages.list({
    anchor: 'newest',
    num_before: maxNewer,
    num_after: 0,
    narrow,
  })
  return messages.some((message) => message.id === id)
}

const isDone = async (call: Promise<unknown>): Promise<boolean> => (await outcomeOf(call)) === 'ok'

/** All requests that change a message. */
const writes: Record<string, (by: Person, id: MessageId) => Promise<unknown>> = {
  'edit content': (by, message_id) => by.messages.edit({ message_id, content: 'Mine now' }),
  'edit topic': (by, message_id) => by.messages.edit({ message_id, topic: 'mine now' }),
  'edit all topics': (by, message_id) =>
    by.messages.edit({ message_id, topic: 'mine now', propagate_mode: 'change_all' }),
  react: (by, message_id) => by.messages.addReaction({ message_id, emoji_name: 'rocket' }),
  'remove a reaction': (by, message_id) => by.messages.removeReaction({ message_id, emoji_name: 'tada' }),
  delete: (by, message_id) => by.messages.remove({ message_id }),
}

for (const kind of ['private', 'protected', 'public'] as const) {
  const people = kinds[kind]
  const everyone = people.map(([, person]) => person)

  test(`a former member of a ${kind} stream can read received messages but cannot change them`, async () => {
    const stream = await makeStream(kind, everyone)
    const messageByFormer = new Map<string, MessageId>()
    for (const [role, person] of people) {
      const id = await sendToStream(person, stream, 'moles', 'In my garden')
      await react(person, id, 'tada')
      messageByFormer.set(role, id)
    }
    const id = await sendToStream(iris, stream, 'moles', 'In the garden')
    await dismiss(stream, everyone)

    for (const [role, person] of people) {
      const own = messageByFormer.get(role) as MessageId
      assert.ok(await reads.raw?.(person, id, stream), `${role} reads`)
      assert.ok(await reads['no narrow']?.(person, id, stream), `${role} lists`)
      for (const [what, write] of Object.entries(writes)) {
        const call = write(person, own)
        await assert.rejects(call, { errorName: 'INVALID_MESSAGE' }, `${role}: ${what}`)
      }
      for (const action of ['edit_message', 'edit_topic', 'delete_message'] as const) {
        const { allowed } = await person.permissions.explain({
          user_id: person.user_id,
          action,
          message_id: own,
        })
        assert.equal(allowed, false, `${role}: ${action}`)
      }
    }
  })

  for (const [what, change] of Object.entries({
    'an edit': (message_id: MessageId) => iris.messages.edit({ message_id, content: 'A marmalade garden' }),
    'a topic change': (message_id: MessageId) => iris.messages.edit({ message_id, topic: 'weeds' }),
    'a topic change of all messages': async (message_id: MessageId) => {
      const messages = await readTopic(message_id)
      const first = messages[0] as MessageId
      await iris.messages.edit({ message_id: first, topic: 'weeds', propagate_mode: 'change_all' })
    },
  })) {
    test(`${what} hides a message from former members of a ${kind} stream in all requests`, async () => {
      const stream = await makeStream(kind, everyone)
      await sendToStream(iris, stream, 'moles', 'Before')
      const id = await sendToStream(iris, stream, 'moles', 'A garden @**all**')
      for (const person of everyone) {
        await react(person, id, 'tada')
        await person.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
      }
      await dismiss(stream, everyone)
      const cast = Object.fromEntries(people)
      assert.ok(
        (await Promise.all(everyone.map((person) => reads.starred?.(person, id, stream)))).every(Boolean),
      )

      const events = await collectEvents(world, { ...cast, iris }, () => change(id), aboutMessages)

      for (const [role, person] of people) {
        assert.deepEqual(events[role], [], `${role} gets no events`)
        for (const [request, read] of Object.entries(reads))
          assert.equal(await read(person, id, stream), false, `${role} by ${request}`)
      }
      assert.ok((events.iris?.length ?? 0) > 0)
      assert.ok(await reads.raw?.(iris, id, stream))
      const principals = everyone.map(({ user_id }) => user_id)
      await owner.subscriptions.subscribe({ subscriptions: [{ name: stream.name }], principals })
      for (const [role, person] of people)
        assert.ok(await reads.starred?.(person, id, stream), `${role} is back and reads it again`)
    })
  }

  test(`former members of a ${kind} stream get no events about received messages except when a starred message is deleted`, async () => {
    const stream = await makeStream(kind, everyone)
    const id = await sendToStream(iris, stream, 'moles', 'A garden')
    for (const person of everyone) {
      await react(person, id, 'tada')
      await person.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
    }
    await dismiss(stream, everyone)

    const events = await collectEvents(
      world,
      Object.fromEntries(people),
      async () => {
        await react(iris, id, 'rocket')
        await iris.messages.removeReaction({ message_id: id, emoji_name: 'rocket' })
        await sendToStream(iris, stream, 'moles')
        await iris.messages.edit({ message_id: id, content: 'Another garden' })
        await iris.messages.remove({ message_id: id })
      },
      aboutMessages,
    )

    for (const [role] of people) {
      const [starRemoval, ...others] = events[role] ?? []
      assert.deepEqual(others, [], role)
      const { id: _, ...event } = starRemoval as NonNullable<typeof starRemoval>
      assert.deepEqual(event, {
        type: 'update_message_flags',
        operation: 'remove',
        flag: 'starred',
        messages: [id],
        all: false,
      })
    }
  })
}

for (const kind of ['private', 'protected', 'public'] as const) {
  test(`changes in an archived ${kind} stream hide a message from nobody who was subscribed until the end`, async () => {
    const everyone = Object.values(former)
    const stream = await makeStream(kind, [...everyone, otto, otis])
    const uri = await upload(iris)
    await sendToStream(iris, stream, 'moles', `Before [notes](${uri})`)
    const id = await sendToStream(iris, stream, 'moles', 'A garden @**all**')
    const last = { iris, owner, ...former }
    for (const person of Object.values(last)) {
      await react(person, id, 'tada')
      await person.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
    }
    const leavers: Record<string, Person> = { leaver: otto, 'guest who left': otis }
    await dismiss(stream, Object.values(leavers))
    await owner.streams.archive({ stream_id: stream.stream_id })
    await former.member?.messages.edit({ message_id: id, topic: 'weeds', propagate_mode: 'change_all' })

    const events = await collectEvents(
      world,
      { ...last, ...leavers },
      () => iris.messages.edit({ message_id: id, content: 'A marmalade garden @**all**' }),
      aboutMessages,
    )

    const { topic: _, flags: __, ...listed } = reads
    for (const [role, person] of Object.entries(last)) {
      assert.equal(events[role]?.length, 1, `${role} gets the event`)
      for (const [request, read] of Object.entries(listed))
        assert.equal(await read(person, id, stream), true, `${role} by ${request}`)
      assert.equal(await statusOf(world, person, uri), 200, `${role} reads the file`)
    }
    for (const [role, person] of Object.entries(leavers)) {
      assert.deepEqual(events[role], [], role)
      assert.equal(await reads.raw?.(person, id, stream), false, role)
    }
  })
}

test('a moved message whose new stream becomes private is hidden from users who never subscribed to that stream', async () => {
  const mia = former.member as Person
  const from = await makeStream('public', [mia])
  const to = await world.stream(`stream ${++made}`, { members: [owner, iris] })
  const id = await sendToStream(iris, from, 'moles', 'A garden')
  await owner.messages.edit({ message_id: id, stream_id: to.stream_id })
  assert.ok(await reads.raw?.(mia, id, to))

  await owner.streams.update({ stream_id: to.stream_id, is_private: true })

  const { stream: narrowToStream, ...otherReads } = reads
  await assert.rejects(async () => narrowToStream?.(mia, id, to), { errorName: 'BAD_NARROW' })
  for (const [request, read] of Object.entries(otherReads))
    assert.equal(await read(mia, id, to), false, request)
})

async function readTopic(id: MessageId): Promise<MessageId[]> {
  const [row] = await world.database.query<{ ids: MessageId[] }>(
    `select array_agg(other.id::int order by other.id) as ids from message m
     join message other on other.recipient_id = m.recipient_id and other.folded_topic = m.folded_topic
     where m.id = $1`,
    [id],
  )
  return row?.ids ?? []
}
