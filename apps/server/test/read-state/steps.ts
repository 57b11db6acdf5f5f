import assert from 'node:assert/strict'
import { ApiError, type MessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { type NodeName, request } from '@oxbow/testkit'
import fc from 'fast-check'
import {
  add,
  isReadable,
  isReceived,
  isUnread,
  join,
  leave,
  move,
  type Name,
  names,
  newMessage,
  type Picture,
  type PicturedMessage,
  type PicturedStream,
  topicKey,
  unreadOf,
} from './picture.ts'
import type { Real } from './real.ts'

interface Actor {
  by: Name
  at: NodeName
  /** Whether the server knows beforehand that everything that is not held back is there. */
  isSettled: boolean
}

interface Act {
  /** The picture says whether it is refused. */
  isRefused?: boolean
  call(client: Client): Promise<unknown>
  change(): void
}

type Given = Record<string, unknown>

/** One step of a story: it is done or refused as the picture says, and afterwards everyone sees what they should. */
function step<What extends Given>(
  kind: string,
  what: { [Key in keyof What]: fc.Arbitrary<What[Key]> },
  act: (given: What & Actor, picture: Picture, real: Real) => Act | undefined,
): fc.Arbitrary<fc.AsyncCommand<Picture, Real>> {
  return fc.tuple(actor, fc.record(what) as fc.Arbitrary<What>).map(([by, given]) => ({
    check: () => true,
    async run(picture, real) {
      const told = act({ ...by, ...given }, picture, real)
      if (!told) return
      if (by.isSettled) await real.raiseHorizon()
      const outcomes = real.outcomesOf(kind)
      const refused = await told.call(real.people[by.by].on(by.at)).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiError && error.status < 500) return error
          throw error
        },
      )
      assert.equal(refused !== undefined, told.isRefused ?? false, `${refused}`)
      outcomes[refused ? 'refused' : 'done']++
      if (!refused) told.change()
      await real.compare(picture)
    },
    toString: () => `${kind} ${JSON.stringify({ ...by, ...given })}`,
  }))
}

const someone = fc.constantFrom(...names)
const actor: fc.Arbitrary<Actor> = fc.record({
  by: someone,
  at: fc.constantFrom<NodeName>('a', 'b'),
  isSettled: fc.boolean(),
})
const stream = fc.nat({ max: 2 })
const topic = fc.constantFrom('weeds', 'Weeds', 'moles')
/** Counted from the newest. */
const one = fc.nat({ max: 9 })
const some = fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 1, maxLength: 6 })

const pick = ({ messages }: Picture, back: number) => messages.at(-1 - (back % messages.length))
const pickSome = (picture: Picture, backs: readonly number[]) => [
  ...new Set(backs.flatMap((back) => pick(picture, back) ?? [])),
]
const streamAt = ({ streams }: Picture, place: number) => streams[place] as PicturedStream
const idsOf = (messages: readonly PicturedMessage[]) => messages.map(({ id }) => id)

const mayPost = (by: Name, { members }: PicturedStream) => by !== 'gus' || members.has(by)
const fullNames: Record<Name, string> = {
  owner: 'Olive Owner',
  mia: 'Mia Gardener',
  nora: 'Nora Gardener',
  gus: 'Gus Gardener',
}

const send = step(
  'send',
  { stream, topic, mention: fc.option(fc.constantFrom(...names, 'all' as const)), isHuman: fc.boolean() },
  ({ by, at, stream, topic, mention, isHuman }, picture, { world, people }) => {
    const to = streamAt(picture, stream)
    if (!mayPost(by, to)) return undefined
    const named = mention === 'all' ? 'all' : mention ? fullNames[mention] : undefined
    const content = named ? `@**${named}** look` : 'Sunny.'
    let id = 0
    return {
      async call() {
        const { status, body } = await request(world.nodes[at].url, {
          method: 'POST',
          path: '/api/v1/messages',
          credentials: people[by],
          form: { type: 'stream', to: String(to.id), topic, content, ...(isHuman && { client: 'website' }) },
        })
        assert.equal(status, 200, JSON.stringify(body))
        id = body.id as number
      },
      change() {
        const mentioned = new Set([...to.members].filter((name) => name === mention))
        const read = new Set(isHuman ? [by] : [])
        add(
          picture,
          newMessage(id as MessageId, by, to, { topic, mentioned, read, mentionsAll: mention === 'all' }),
        )
      },
    }
  },
)

const sendPrivately = step(
  'send privately',
  { to: fc.uniqueArray(someone, { minLength: 1, maxLength: 3 }) },
  ({ by, to }, picture, { people }) => {
    const members = [...new Set([by, ...to])]
    let id = 0
    return {
      async call({ messages }) {
        const sent = await messages.send({
          type: 'private',
          to: to.map((name) => people[name].user_id as number),
          content: 'Sunny.',
        })
        id = sent.id ?? 0
      },
      change: () => add(picture, newMessage(id as MessageId, by, undefined, { people: members })),
    }
  },
)

const hold = step('hold back', { stream, topic }, ({ by, stream, topic }, picture, real) => {
  const to = streamAt(picture, stream)
  // Whoever sends the first message to a stream keeps others from sending until it is committed.
  if (!picture.messages.some(({ place }) => place === to)) return undefined
  if (!mayPost(by, to) || real.held.length > 3) return undefined
  return { call: () => real.hold(by, to, topic, 'Late.'), change: () => {} }
})

const release = step('release', { which: fc.nat({ max: 3 }) }, ({ which }, picture, real) => {
  const [held] = real.held.splice(which % Math.max(1, real.held.length), 1)
  if (!held) return undefined
  const { id, sender, stream, topic, commit } = held
  return { call: commit, change: () => add(picture, newMessage(id, sender, stream, { topic })) }
})

const changeRead = step(
  'change read',
  { some, op: fc.constantFrom('add', 'add', 'add', 'remove') },
  ({ by, some, op }, picture) => {
    const messages = pickSome(picture, some)
    const received = messages.filter((message) => isReceived(by, message))
    return {
      isRefused: received.length === 0,
      call: (client) => client.messages.changeFlags({ messages: idsOf(messages), op, flag: 'read' }),
      change() {
        for (const { along, read } of received) {
          if (op === 'add') read.add(by)
          else if (along.has(by)) read.delete(by)
        }
      },
    }
  },
)

const readAllAtOnce = step('read each, at two nodes at once', {}, ({ by }, picture, { people }) => {
  const unread = unreadOf(picture, by)
  if (unread.length === 0) return undefined
  const mark = ({ id }: PicturedMessage, place: number) =>
    people[by].on(place % 2 ? 'a' : 'b').messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })
  return {
    call: () => Promise.all(unread.map(mark)),
    change() {
      for (const { read } of unread) read.add(by)
    },
  }
})

const changeOwn = step(
  'star or collapse',
  { some, op: fc.constantFrom('add', 'remove'), flag: fc.constantFrom('starred', 'collapsed') },
  ({ by, some, op, flag }, picture) => {
    const messages = pickSome(picture, some)
    const received = messages.filter((message) => isReceived(by, message))
    const [only] = messages
    const isHistory = flag === 'starred' && messages.length === 1 && only && isReadable(by, only)
    return {
      isRefused: received.length === 0 && !isHistory,
      call: (client) => client.messages.changeFlags({ messages: idsOf(messages), op, flag }),
      change() {
        for (const message of received.length > 0 ? received : messages) {
          const isNew = !isReceived(by, message)
          message[flag][op === 'add' ? 'add' : 'delete'](by)
          if (isNew && op === 'add') message.historical.add(by)
        }
      },
    }
  },
)

const markAll = step('mark all', {}, ({ by }, picture) => ({
  call: (client) => client.messages.markAllRead(),
  change() {
    for (const { read } of picture.messages) read.add(by)
  },
}))

const markStream = step('mark stream', { stream }, ({ by, stream }, picture) => {
  const marked = streamAt(picture, stream)
  return {
    isRefused: !mayPost(by, marked),
    call: (client) => client.messages.markStreamRead({ stream_id: marked.id }),
    change() {
      for (const { place, read } of picture.messages) if (place === marked) read.add(by)
    },
  }
})

const markTopic = step('mark topic', { stream, topic }, ({ by, stream, topic }, picture) => {
  const place = streamAt(picture, stream)
  const inTopic = picture.messages.filter(
    (message) => message.place === place && message.topic.toLowerCase() === topic.toLowerCase(),
  )
  return {
    isRefused: !mayPost(by, place) || !inTopic.some((message) => isReceived(by, message)),
    call: (client) => client.messages.markTopicRead({ stream_id: place.id, topic_name: topic }),
    change() {
      for (const message of inTopic) if (isUnread(by, message)) message.read.add(by)
    },
  }
})

const comeOrGo = step('come or go', { stream, who: someone }, ({ stream, who }, picture, real) => {
  const { people } = real
  const changed = streamAt(picture, stream)
  if (real.isHeld(changed)) return undefined
  const principals = [people[who].user_id]
  return changed.members.has(who)
    ? {
        call: () => people.owner.subscriptions.unsubscribe({ subscriptions: [changed.name], principals }),
        change: () => leave(picture, changed, who),
      }
    : {
        call: () =>
          people.owner.subscriptions.subscribe({ subscriptions: [{ name: changed.name }], principals }),
        change: () => join(changed, who),
      }
})

const moves = (which: fc.Arbitrary<number>) =>
  step(
    'move',
    {
      one: which,
      stream,
      topic: fc.option(topic, { nil: undefined }),
      mode: fc.constantFrom('change_one' as const, 'change_later' as const, 'change_all' as const),
    },
    ({ one, stream, topic, mode }, picture, real) => {
      const message = pick(picture, one)
      const to = streamAt(picture, stream)
      const from = message?.place
      if (!message || !from || real.isHeld(from) || real.isHeld(to)) return undefined
      if (from === to && (topic === undefined || topic === message.topic)) return undefined
      const isInTopic = (each: PicturedMessage) =>
        each.place === from && each.topic.toLowerCase() === message.topic.toLowerCase()
      const moved = picture.messages.filter(
        (each) =>
          each === message ||
          (mode !== 'change_one' && isInTopic(each) && (mode === 'change_all' || each.id >= message.id)),
      )
      return {
        call: () =>
          real.people.owner.messages.edit({
            message_id: message.id,
            propagate_mode: mode,
            ...(from !== to && { stream_id: to.id }),
            ...(topic !== undefined && { topic }),
            send_notification_to_new_thread: false,
            send_notification_to_old_thread: false,
          }),
        change() {
          for (const each of moved) {
            if (from === to) each.topic = topic ?? each.topic
            else move(each, to, topic)
          }
        },
      }
    },
  )

const moveMessages = moves(one)
const moveNewest = moves(fc.constantFrom(0, 1))

const remove = step('delete', { one }, ({ one }, picture, real) => {
  const message = pick(picture, one)
  if (!message || real.isHeld(message.place)) return undefined
  // Nobody deletes what they do not see.
  if (!message.place && !message.people.includes('owner')) return undefined
  return {
    call: () => real.people.owner.messages.remove({ message_id: message.id }),
    change: () => picture.messages.splice(picture.messages.indexOf(message), 1),
  }
})

const muteStream = step(
  'mute stream',
  { stream, isMuted: fc.boolean() },
  ({ by, stream, isMuted }, picture) => {
    const muted = streamAt(picture, stream)
    if (!muted.members.has(by)) return undefined
    const subscription_data = [{ stream_id: muted.id, property: 'is_muted', value: isMuted }]
    return {
      call: (client) => client.subscriptions.setProperties({ subscription_data }),
      change: () => muted.mutedBy[isMuted ? 'add' : 'delete'](by),
    }
  },
)

const muteTopic = step('mute topic', { stream, topic }, ({ by, stream, topic }, picture) => {
  const place = streamAt(picture, stream)
  if (!mayPost(by, place)) return undefined
  const key = topicKey(by, place, topic)
  const op = picture.mutedTopics.has(key) ? 'remove' : 'add'
  return {
    call: (client) => client.subscriptions.muteTopic({ stream_id: place.id, topic, op }),
    change: () => picture.mutedTopics[op === 'add' ? 'add' : 'delete'](key),
  }
})

type Step = fc.AsyncCommand<Picture, Real>

/** Steps that go wrong together, if they do. */
const inARow = (...each: fc.Arbitrary<Step>[]): fc.Arbitrary<Step> =>
  fc.tuple(...each).map((row) => ({
    check: () => true,
    async run(picture, real) {
      for (const one of row) await one.run(picture, real)
    },
    toString: () => row.join(', then '),
  }))

/** Where the newest message was sent, or all there is. */
const everyoneMarks = step(
  'everyone marks',
  { isAll: fc.boolean() },
  ({ isAll }, { messages }, { people }) => {
    const sent = messages.findLast((message) => message.sent)?.sent
    if (!sent) return undefined
    const able = names.filter((name) => isAll || mayPost(name, sent))
    return {
      call: () =>
        Promise.all(
          able.map((name) =>
            isAll
              ? people[name].messages.markAllRead()
              : people[name].messages.markStreamRead({ stream_id: sent.id }),
          ),
        ),
      change() {
        for (const { place, read } of messages)
          if (isAll || place === sent) for (const name of able) read.add(name)
      },
    }
  },
)

export const steps = [
  ...[send, send, send, sendPrivately],
  ...[hold, release, inARow(hold, send, everyoneMarks, release)],
  ...[changeRead, changeRead, readAllAtOnce, changeOwn],
  ...[markAll, markStream, markTopic],
  ...[comeOrGo, comeOrGo, moveMessages, moveMessages, inARow(send, send, moveNewest, everyoneMarks), remove],
  ...[muteStream, muteTopic],
]
