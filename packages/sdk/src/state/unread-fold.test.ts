import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareCodePoints, type Event, Role, type StreamId, type UnreadMessages } from '@oxbow/contract'
import fc from 'fast-check'
import {
  edit,
  flag,
  topic as listed,
  messageIds,
  noUnread,
  post,
  talk,
  withMessages,
} from '../../test/example-messages.ts'
import { garden, ids, pond, stateOf, subscription, users } from '../../test/example-streams.ts'
import { applyEvent } from './apply-event.ts'

// Applies random events, and compares the result with the state that is computed from all messages.

type Name = 'garden' | 'pond'
type Conversation = { name: Name; topic: string } | { people: number[] }
interface Known {
  id: number
  conversation: Conversation
  isUnread: boolean
  mention: 'mentioned' | 'wildcard_mentioned' | undefined
}

/** A model of all messages, which emits the events for its changes. */
class World {
  messages: Known[] = []
  mutedTopics = new Set<string>()
  mutedStreams = new Set<Name>()

  pick(seed: number): Known[] {
    return this.messages.filter(({ id }) => (id * 7 + seed) % 3 === 0)
  }

  isMuted(conversation: Conversation): boolean {
    if (!('name' in conversation)) return false
    return (
      this.mutedStreams.has(conversation.name) ||
      this.mutedTopics.has(`${conversation.name} ${conversation.topic.toLowerCase()}`)
    )
  }

  view(): UnreadMessages {
    const unread = this.messages.filter(({ isUnread }) => isUnread).sort((a, b) => a.id - b.id)
    const idsWhere = (isWanted: (message: Known) => boolean) =>
      messageIds(...unread.filter(isWanted).map(({ id }) => id))
    const groups = Map.groupBy(unread, ({ conversation }) => JSON.stringify(conversation))
    const lists = [...groups].map(([key, group]) => ({
      conversation: JSON.parse(key) as Conversation,
      unread: group.map(({ id }) => id),
    }))
    const people = lists.flatMap(({ conversation, unread }) =>
      'people' in conversation
        ? [{ others: conversation.people.filter((id) => id !== 2), unread: messageIds(...unread) }]
        : [],
    )
    return {
      count: unread.filter(({ conversation }) => !this.isMuted(conversation)).length,
      pms: people
        .filter(({ others }) => others.length < 2)
        .map(({ others: [other = 2], unread }) => ({
          sender_id: users(other)[0] as never,
          unread_message_ids: unread,
        }))
        .sort((a, b) => a.sender_id - b.sender_id),
      huddles: people
        .filter(({ others }) => others.length > 1)
        .map(({ others, unread }) => ({ user_ids_string: [2, ...others].join(), unread_message_ids: unread }))
        .sort((a, b) => compareCodePoints(a.user_ids_string, b.user_ids_string)),
      streams: lists
        .flatMap(({ conversation, unread }) =>
          'name' in conversation ? [listed(conversation.name, conversation.topic, unread)] : [],
        )
        .sort((a, b) => a.stream_id - b.stream_id || compareCodePoints(a.topic, b.topic)),
      mentions: idsWhere(
        ({ mention, conversation }) =>
          mention === 'mentioned' || (mention === 'wildcard_mentioned' && !this.isMuted(conversation)),
      ),
      wildcard_mentions: idsWhere(({ mention }) => mention === 'wildcard_mentioned'),
    }
  }
}

type Step = (world: World) => object[]
const name = fc.constantFrom<Name>('garden', 'pond')
const topic = fc.constantFrom('a', 'A', 'b', '\uffee', '🌱')
const mention = fc.constantFrom('mentioned' as const, 'wildcard_mentioned' as const, undefined)
const flagsOf = (mention: Known['mention']) => (mention ? [mention] : [])
const byName = { garden: subscription(garden, users(2)), pond: subscription(pond, users(2)) }

const send = fc
  .tuple(
    fc.oneof(
      fc.record({ name, topic }),
      fc.constantFrom<Conversation>({ people: [5, 2] }, { people: [5, 2, 9] }),
    ),
    mention,
  )
  .map(
    ([conversation, mention]): Step =>
      (world) => {
        const id = world.messages.length + 1
        world.messages.push({ id, conversation, isUnread: true, mention })
        const flags = flagsOf(mention)
        return [
          'people' in conversation
            ? talk(id, conversation.people, flags)
            : post(id, conversation.name, conversation.topic, flags),
        ]
      },
  )

const read = fc.nat(2).map(
  (seed): Step =>
    (world) => {
      const picked = world.pick(seed)
      for (const message of picked) message.isUnread = false
      return [
        flag(
          'add',
          'read',
          picked.map(({ id }) => id),
        ),
      ]
    },
)

const unreadAgain = fc.nat(2).map(
  (seed): Step =>
    (world) => {
      const picked = world.pick(seed)
      for (const message of picked) message.isUnread = true
      const details = picked.map(({ id, conversation, mention }) => [
        id,
        {
          ...('name' in conversation
            ? { type: 'stream', stream_id: ids[conversation.name], topic: conversation.topic }
            : { type: 'private', user_ids: conversation.people.filter((person) => person !== 2) }),
          sender_id: 5,
          ...(mention && { [mention]: true }),
        },
      ])
      const message_details = Object.fromEntries(details)
      return [
        flag(
          'remove',
          'read',
          picked.map(({ id }) => id),
          { message_details },
        ),
      ]
    },
)

const move = fc.tuple(fc.nat(2), name, topic, mention).map(
  ([seed, name, topic, mention]): Step =>
    (world) => {
      const picked = world.pick(seed).filter(({ conversation }) => 'name' in conversation)
      const [first] = picked
      if (!first) return []
      first.mention = mention
      for (const message of picked) message.conversation = { name, topic }
      const numbers = picked.map(({ id }) => id)
      return [edit(numbers, { subject: topic, new_stream_id: ids[name] }, flagsOf(mention))]
    },
)

const remove = fc.nat(2).map(
  (seed): Step =>
    (world) => {
      const picked = new Set(world.pick(seed))
      // Ids are never reused, so a removed message only has to be no longer unread.
      for (const message of picked) message.isUnread = false
      return [
        { type: 'delete_message', message_type: 'stream', message_ids: [...picked].map(({ id }) => id) },
      ]
    },
)

const muteTopic = fc.tuple(name, topic).map(
  ([name, topic]): Step =>
    (world) => {
      const key = `${name} ${topic.toLowerCase()}`
      if (!world.mutedTopics.delete(key)) world.mutedTopics.add(key)
      const muted_topics = [...world.mutedTopics].map((muted) => [...muted.split(' '), 100])
      return [{ type: 'muted_topics', muted_topics }]
    },
)

const muteStream = name.map(
  (name): Step =>
    (world) => {
      const value = world.mutedStreams.delete(name)
      if (!value) world.mutedStreams.add(name)
      const stream_id: StreamId = byName[name].stream_id
      return [{ type: 'subscription', op: 'update', stream_id, name, property: 'in_home_view', value }]
    },
)

const rejoin = name.map(
  (name): Step =>
    (world) => {
      for (const message of world.messages)
        if ('name' in message.conversation && message.conversation.name === name) message.isUnread = false
      const is_muted = world.mutedStreams.has(name)
      const joined = { ...byName[name], is_muted, in_home_view: !is_muted }
      return [
        { type: 'subscription', op: 'remove', subscriptions: [byName[name]] },
        { type: 'subscription', op: 'add', subscriptions: [joined] },
      ]
    },
)

test('message events applied in order give the same unread lists as the model', () => {
  const steps = fc.oneof(
    { weight: 5, arbitrary: send },
    read,
    unreadAgain,
    move,
    remove,
    muteTopic,
    muteStream,
    rejoin,
  )
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (happening) => {
      const world = new World()
      let state = withMessages({ ...stateOf(Role.member), muted_topics: [] }, noUnread)
      for (const step of happening) {
        for (const event of step(world)) {
          state = applyEvent(state, { id: 5, ...event } as Event)
          const twice = applyEvent(state, { id: 5, ...event } as Event)
          assert.deepEqual(twice.unread_msgs, state.unread_msgs)
        }
        assert.deepEqual(state.unread_msgs, world.view())
      }
    }),
    { numRuns: 300 },
  )
})
