import fc from 'fast-check'
import { isReadable, isReceived, isUnread, type ModelMessage, names, unreadOf } from './model.ts'
import { idsOf, mayPost, pickSome, some, step, stream, streamAt, topic } from './step.ts'

export const changeRead = step(
  'change read',
  { some, op: fc.constantFrom('add', 'add', 'add', 'remove') },
  ({ by, some, op }, model) => {
    const messages = pickSome(model, some)
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

export const readAllAtOnce = step('read each, at two nodes at once', {}, ({ by }, model, { people }) => {
  const unread = unreadOf(model, by)
  if (unread.length === 0) return undefined
  const markRead = ({ id }: ModelMessage, index: number) =>
    people[by].on(index % 2 ? 'a' : 'b').messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })
  return {
    call: () => Promise.all(unread.map(markRead)),
    change() {
      for (const { read } of unread) read.add(by)
    },
  }
})

export const changeOwn = step(
  'star or collapse',
  { some, op: fc.constantFrom('add', 'remove'), flag: fc.constantFrom('starred', 'collapsed') },
  ({ by, some, op, flag }, model) => {
    const messages = pickSome(model, some)
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

export const markAll = step('mark all', {}, ({ by }, model) => ({
  call: (client) => client.messages.markAllRead(),
  change() {
    for (const { read } of model.messages) read.add(by)
  },
}))

export const markStream = step('mark stream', { stream }, ({ by, stream }, model) => {
  const marked = streamAt(model, stream)
  return {
    isRefused: !mayPost(by, marked),
    call: (client) => client.messages.markStreamRead({ stream_id: marked.id }),
    change() {
      for (const { place, read } of model.messages) if (place === marked) read.add(by)
    },
  }
})

export const markTopic = step('mark topic', { stream, topic }, ({ by, stream, topic }, model) => {
  const target = streamAt(model, stream)
  const inTopic = model.messages.filter(
    (message) => message.place === target && message.topic.toLowerCase() === topic.toLowerCase(),
  )
  return {
    isRefused: !mayPost(by, target) || !inTopic.some((message) => isReceived(by, message)),
    call: (client) => client.messages.markTopicRead({ stream_id: target.id, topic_name: topic }),
    change() {
      for (const message of inTopic) if (isUnread(by, message)) message.read.add(by)
    },
  }
})

/** All users mark everything as read, or the stream that the newest stream message was sent to. */
export const everyoneMarks = step(
  'everyone marks',
  { isAll: fc.boolean() },
  ({ isAll }, { messages }, { people }) => {
    const sent = messages.findLast((message) => message.sent)?.sent
    if (!sent) return undefined
    const allowed = names.filter((name) => isAll || mayPost(name, sent))
    return {
      call: () =>
        Promise.all(
          allowed.map((name) =>
            isAll
              ? people[name].messages.markAllRead()
              : people[name].messages.markStreamRead({ stream_id: sent.id }),
          ),
        ),
      change() {
        for (const { place, read } of messages)
          if (isAll || place === sent) for (const name of allowed) read.add(name)
      },
    }
  },
)
