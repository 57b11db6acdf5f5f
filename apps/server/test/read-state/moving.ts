import fc from 'fast-check'
import {
  isEmptyTopic,
  join,
  leave,
  type ModelMessage,
  move,
  moveMuting,
  recordChange,
  topicKey,
} from './model.ts'
import { index, mayPost, pick, someone, step, stream, streamAt, topic } from './step.ts'

export const toggleSubscription = step(
  'come or go',
  { stream, who: someone },
  ({ stream, who }, model, server) => {
    const { people } = server
    const changed = streamAt(model, stream)
    if (server.isHeld(changed)) return undefined
    const principals = [people[who].user_id]
    return changed.members.has(who)
      ? {
          call: () => people.owner.subscriptions.unsubscribe({ subscriptions: [changed.name], principals }),
          change: () => leave(model, changed, who),
        }
      : {
          call: () =>
            people.owner.subscriptions.subscribe({ subscriptions: [{ name: changed.name }], principals }),
          change: () => join(model, changed, who),
        }
  },
)

const moves = (which: fc.Arbitrary<number>) =>
  step(
    'move',
    {
      one: which,
      stream,
      topic: fc.option(topic, { nil: undefined }),
      mode: fc.constantFrom('change_one' as const, 'change_later' as const, 'change_all' as const),
    },
    ({ one: index, stream, topic, mode }, model, server) => {
      const message = pick(model, index)
      const to = streamAt(model, stream)
      const from = message?.place
      if (!message || !from || server.isHeld(from) || server.isHeld(to)) return undefined
      if (from === to && (topic === undefined || topic === message.topic)) return undefined
      const isInTopic = (candidate: ModelMessage) =>
        candidate.place === from && candidate.topic.toLowerCase() === message.topic.toLowerCase()
      const moved = model.messages.filter(
        (candidate) =>
          candidate === message ||
          (mode !== 'change_one' &&
            isInTopic(candidate) &&
            (mode === 'change_all' || candidate.id >= message.id)),
      )
      return {
        call: () =>
          server.people.owner.messages.edit({
            message_id: message.id,
            propagate_mode: mode,
            ...(from !== to && { stream_id: to.id }),
            ...(topic !== undefined && { topic }),
            send_notification_to_new_thread: false,
            send_notification_to_old_thread: false,
          }),
        change() {
          const source = { place: from, topic: message.topic }
          const target = { place: to, topic: topic ?? message.topic }
          const isNewTopic = isEmptyTopic(model, target)
          for (const message of moved) {
            if (from === to) message.topic = topic ?? message.topic
            else move(message, to, topic)
            recordChange(message)
          }
          if (isEmptyTopic(model, source)) moveMuting(model, source, target, isNewTopic)
        },
      }
    },
  )

export const moveMessages = moves(index)
export const moveNewest = moves(fc.constantFrom(0, 1))

export const remove = step('delete', { one: index }, ({ one: index }, model, server) => {
  const message = pick(model, index)
  if (!message || server.isHeld(message.place)) return undefined
  // Skips private messages that the owner, who deletes, cannot see.
  if (!message.place && !message.people.includes('owner')) return undefined
  return {
    call: () => server.people.owner.messages.remove({ message_id: message.id }),
    change: () => model.messages.splice(model.messages.indexOf(message), 1),
  }
})

export const muteStream = step(
  'mute stream',
  { stream, isMuted: fc.boolean() },
  ({ by, stream, isMuted }, model) => {
    const muted = streamAt(model, stream)
    if (!muted.members.has(by)) return undefined
    const subscription_data = [{ stream_id: muted.id, property: 'is_muted', value: isMuted }]
    return {
      call: (client) => client.subscriptions.setProperties({ subscription_data }),
      change: () => muted.mutedBy[isMuted ? 'add' : 'delete'](by),
    }
  },
)

export const muteTopic = step('mute topic', { stream, topic }, ({ by, stream, topic }, model) => {
  const target = streamAt(model, stream)
  if (!mayPost(by, target)) return undefined
  const key = topicKey(by, target, topic)
  const op = model.mutedTopics.has(key) ? 'remove' : 'add'
  return {
    call: (client) => client.subscriptions.muteTopic({ stream_id: target.id, topic, op }),
    change: () => model.mutedTopics[op === 'add' ? 'add' : 'delete'](key),
  }
})
