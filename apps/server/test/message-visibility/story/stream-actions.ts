import { Role, type StreamId } from '@oxbow/contract'
import fc from 'fast-check'
import { isPublic, type Kind, type Model, type Name, names } from '../model/model.ts'
import { administrator, people, pickStream, randomAction, someIndex, someone } from './random-action.ts'

/**
 * Actions on users and streams. The log contains their effects, which `streams-state` compares with
 * a separate model.
 */
const subscribe = randomAction(
  'subscribe',
  { by: someone, stream: someIndex, people },
  ({ by, stream, people }, { model, server }) => {
    const joined = pickStream(model, stream)
    const { id, name, isArchived } = joined
    // Subscribing by the name of a deleted stream would create another stream.
    if (isArchived) return undefined
    const principals = people.map((person) => server.people[person].user_id)
    return {
      label: `${people} to ${id}`,
      by: administrator(model, by, stream, joined),
      call: ({ subscriptions }) => subscriptions.subscribe({ subscriptions: [{ name }], principals }),
    }
  },
)

const joinAlone = randomAction('join', { by: someone, stream: someIndex }, ({ by, stream }, { model }) => {
  const { id, name, isArchived } = pickStream(model, stream, isPublic)
  if (isArchived) return undefined
  return {
    label: `${id}`,
    by,
    call: ({ subscriptions }) => subscriptions.subscribe({ subscriptions: [{ name }] }),
  }
})

const leave = randomAction('leave', { by: someone, stream: someIndex }, ({ by, stream }, { model }) => {
  const { id, name } = pickStream(model, stream, ({ members }) => members.has(by))
  return {
    label: `${id}`,
    by,
    call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [name] }),
  }
})

const unsubscribe = randomAction(
  'unsubscribe',
  { by: someone, stream: someIndex, people },
  ({ by, stream, people }, { model, server }) => {
    const { id, name } = pickStream(model, stream)
    const principals = people.map((person) => server.people[person].user_id)
    return {
      label: `${people} from ${id}`,
      by: administrator(model, by, stream),
      call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [name], principals }),
    }
  },
)

const changePrivacy = randomAction(
  'change privacy',
  { by: someone, stream: someIndex, kind: fc.constantFrom<Kind>('public', 'public', 'shared', 'protected') },
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

const archive = randomAction('archive', { by: someone, stream: someIndex }, ({ by, stream }, { model }) => ({
  label: `${pickStream(model, stream).id}`,
  by: administrator(model, by, stream),
  call: ({ streams }) => streams.archive({ stream_id: pickStream(model, stream).id as StreamId }),
}))

const mute = randomAction(
  'mute',
  { by: someone, stream: someIndex, topic: fc.constantFrom('moles', 'Weeds'), isStream: fc.boolean() },
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

const changeRole = randomAction(
  'change role',
  { whom, role: fc.constantFrom(Role.guest, Role.guest, Role.member, Role.administrator) },
  ({ whom, role }, { server }) => ({
    label: `of ${whom} to ${role}`,
    by: 'owner' as const,
    call: ({ users }) => users.update({ user_id: server.people[whom].user_id, role }),
  }),
)

const deactivate = randomAction(
  'deactivate',
  { whom },
  ({ whom }, { server }) => ({
    label: whom,
    by: 'owner' as const,
    call: ({ users }) => users.deactivate({ user_id: server.people[whom].user_id }),
  }),
  // A bot is deactivated together with its owner.
  ({ whom }) => (whom === 'mia' ? ['mia', 'robin'] : [whom]),
)

const whoIsAway = ({ accounts }: Model): Name[] => names.filter((name) => !accounts[name].isActive)

const reactivate = randomAction(
  'reactivate',
  { index: someIndex },
  ({ index }, { model, server }) => {
    const away = whoIsAway(model)
    const back = away[index % Math.max(away.length, 1)]
    if (!back) return undefined
    return {
      label: back,
      by: 'owner' as const,
      call: ({ users }) => users.reactivate({ user_id: server.people[back].user_id }),
    }
  },
  (_given, model) => whoIsAway(model),
)

export const streamActions = [
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
