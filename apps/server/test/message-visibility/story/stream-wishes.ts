import { Role, type StreamId } from '@oxbow/contract'
import fc from 'fast-check'
import { isPublic, type Kind, type Model, type Name, names } from '../model/model.ts'
import { administrator, people, pickStream, some, someone, wish } from './wish.ts'

/**
 * Actions on users and streams. The log has their effects, and `streams-state` compares those with a model
 * of their own.
 */
const subscribe = wish(
  'subscribe',
  { by: someone, stream: some, people },
  ({ by, stream, people }, { model, real }) => {
    const joined = pickStream(model, stream)
    const { id, name, isArchived } = joined
    // The name of a deleted stream would create another one.
    if (isArchived) return undefined
    const principals = people.map((person) => real.people[person].user_id)
    return {
      label: `${people} to ${id}`,
      by: administrator(model, by, stream, joined),
      call: ({ subscriptions }) => subscriptions.subscribe({ subscriptions: [{ name }], principals }),
    }
  },
)

const joinAlone = wish('join', { by: someone, stream: some }, ({ by, stream }, { model }) => {
  const { id, name, isArchived } = pickStream(model, stream, isPublic)
  if (isArchived) return undefined
  return {
    label: `${id}`,
    by,
    call: ({ subscriptions }) => subscriptions.subscribe({ subscriptions: [{ name }] }),
  }
})

const leave = wish('leave', { by: someone, stream: some }, ({ by, stream }, { model }) => {
  const { id, name } = pickStream(model, stream, ({ members }) => members.has(by))
  return {
    label: `${id}`,
    by,
    call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [name] }),
  }
})

const unsubscribe = wish(
  'unsubscribe',
  { by: someone, stream: some, people },
  ({ by, stream, people }, { model, real }) => {
    const { id, name } = pickStream(model, stream)
    const principals = people.map((person) => real.people[person].user_id)
    return {
      label: `${people} from ${id}`,
      by: administrator(model, by, stream),
      call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [name], principals }),
    }
  },
)

const changePrivacy = wish(
  'change privacy',
  { by: someone, stream: some, kind: fc.constantFrom<Kind>('public', 'public', 'shared', 'protected') },
  ({ by, stream, kind }, { model }) => {
    const changed = pickStream(model, stream)
    return {
      label: `of ${changed.id} to ${kind}`,
      by: administrator(model, by, stream, changed),
      call: ({ streams }) =>
        streams.update({
          stream_id: changed.id as StreamId,
          is_private: kind !== 'public',
          history_public_to_subscribers: kind === 'shared',
        }),
    }
  },
)

const archive = wish('archive', { by: someone, stream: some }, ({ by, stream }, { model }) => ({
  label: `${pickStream(model, stream).id}`,
  by: administrator(model, by, stream),
  call: ({ streams }) => streams.archive({ stream_id: pickStream(model, stream).id as StreamId }),
}))

const mute = wish(
  'mute',
  { by: someone, stream: some, topic: fc.constantFrom('moles', 'Weeds'), isStream: fc.boolean() },
  ({ by, stream, topic, isStream }, { model }) => {
    const stream_id = pickStream(model, stream).id as StreamId
    const property = [{ stream_id, property: 'is_muted', value: true }]
    return {
      label: isStream ? `${stream_id}` : `${stream_id} > ${topic}`,
      by,
      call: ({ subscriptions }) =>
        isStream
          ? subscriptions.setProperties({ subscription_data: property })
          : subscriptions.muteTopic({ stream_id, topic, op: 'add' }),
    }
  },
)

const whom = fc.constantFrom(...names.filter((name) => name !== 'owner'))

const changeRole = wish(
  'change role',
  { whom, role: fc.constantFrom(Role.guest, Role.guest, Role.member, Role.administrator) },
  ({ whom, role }, { real }) => ({
    label: `of ${whom} to ${role}`,
    by: 'owner' as const,
    call: ({ users }) => users.update({ user_id: real.people[whom].user_id, role }),
  }),
)

const deactivate = wish(
  'deactivate',
  { whom },
  ({ whom }, { real }) => ({
    label: whom,
    by: 'owner' as const,
    call: ({ users }) => users.deactivate({ user_id: real.people[whom].user_id }),
  }),
  // Bots are deactivated with their owner.
  ({ whom }) => (whom === 'mia' ? ['mia', 'robin'] : [whom]),
)

const whoIsAway = ({ accounts }: Model): Name[] => names.filter((name) => !accounts[name].isActive)

const reactivate = wish(
  'reactivate',
  { index: some },
  ({ index }, { model, real }) => {
    const away = whoIsAway(model)
    const back = away[index % Math.max(away.length, 1)]
    if (!back) return undefined
    return {
      label: back,
      by: 'owner' as const,
      call: ({ users }) => users.reactivate({ user_id: real.people[back].user_id }),
    }
  },
  (_given, model) => whoIsAway(model),
)

export const streamWishes = [
  { arbitrary: subscribe, weight: 4 },
  { arbitrary: joinAlone, weight: 3 },
  { arbitrary: leave, weight: 3 },
  { arbitrary: unsubscribe, weight: 2 },
  { arbitrary: changePrivacy, weight: 3 },
  { arbitrary: archive, weight: 1 },
  { arbitrary: mute, weight: 1 },
  { arbitrary: changeRole, weight: 3 },
  { arbitrary: deactivate, weight: 1 },
  { arbitrary: reactivate, weight: 2 },
]
