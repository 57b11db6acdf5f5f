import fc from 'fast-check'
import { join, leave, move, type PicturedMessage, recordChange, topicKey } from './picture.ts'
import { index, mayPost, pick, someone, step, stream, streamAt, topic } from './step.ts'

export const comeOrGo = step('come or go', { stream, who: someone }, ({ stream, who }, picture, real) => {
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
        change: () => join(picture, changed, who),
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
    ({ one: index, stream, topic, mode }, picture, real) => {
      const message = pick(picture, index)
      const to = streamAt(picture, stream)
      const from = message?.place
      if (!message || !from || real.isHeld(from) || real.isHeld(to)) return undefined
      if (from === to && (topic === undefined || topic === message.topic)) return undefined
      const isInTopic = (candidate: PicturedMessage) =>
        candidate.place === from && candidate.topic.toLowerCase() === message.topic.toLowerCase()
      const moved = picture.messages.filter(
        (candidate) =>
          candidate === message ||
          (mode !== 'change_one' &&
            isInTopic(candidate) &&
            (mode === 'change_all' || candidate.id >= message.id)),
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
          for (const message of moved) {
            if (from === to) message.topic = topic ?? message.topic
            else move(message, to, topic)
            recordChange(message)
          }
        },
      }
    },
  )

export const moveMessages = moves(index)
export const moveNewest = moves(fc.constantFrom(0, 1))

export const remove = step('delete', { one: index }, ({ one: index }, picture, real) => {
  const message = pick(picture, index)
  if (!message || real.isHeld(message.place)) return undefined
  // Nobody deletes a message that they cannot see.
  if (!message.place && !message.people.includes('owner')) return undefined
  return {
    call: () => real.people.owner.messages.remove({ message_id: message.id }),
    change: () => picture.messages.splice(picture.messages.indexOf(message), 1),
  }
})

export const muteStream = step(
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

export const muteTopic = step('mute topic', { stream, topic }, ({ by, stream, topic }, picture) => {
  const place = streamAt(picture, stream)
  if (!mayPost(by, place)) return undefined
  const key = topicKey(by, place, topic)
  const op = picture.mutedTopics.has(key) ? 'remove' : 'add'
  return {
    call: (client) => client.subscriptions.muteTopic({ stream_id: place.id, topic, op }),
    change: () => picture.mutedTopics[op === 'add' ? 'add' : 'delete'](key),
  }
})
