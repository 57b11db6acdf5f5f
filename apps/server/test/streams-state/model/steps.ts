import assert from 'node:assert/strict'
import { Role, rolesOfGeneration27 } from '@oxbow/contract'
import fc from 'fast-check'
import {
  archive,
  deactivate,
  join,
  leave,
  type Model,
  type Name,
  names,
  newStream,
  removeBotsWithoutOwner,
} from './model.ts'
import { anyone, mostlyAdministrators, people, peopleOrSelf, pick, step, stream, whom } from './step.ts'
import type { TestedServer } from './tested-server.ts'

const word = fc.constantFrom('apple', 'Elm', 'zoo', '🦉')

const create = step(
  'create',
  anyone,
  { word, invite_only: fc.boolean(), people: peopleOrSelf },
  ({ by, word, invite_only, people }, model, server) => {
    const mark = server.nextMark()
    const name = `${word} ${mark}`
    return {
      call: ({ subscriptions }) =>
        subscriptions.subscribe({
          subscriptions: [{ name }],
          invite_only,
          principals: idsOf(server, people),
        }),
      async change() {
        const made = newStream({ id: await server.findStream(name), mark, name, isPrivate: invite_only })
        join(made, orSelf(people, by))
        model.streams.push(made)
      },
    }
  },
)

const subscribe = step(
  'subscribe',
  anyone,
  { stream, people: peopleOrSelf },
  ({ by, stream, people }, model, server) => {
    const joined = pick(model, stream)
    // Subscribing by the name of a deleted stream would create another stream.
    if (joined.isArchived) return undefined
    return {
      call: ({ subscriptions }) =>
        subscriptions.subscribe({
          subscriptions: [{ name: joined.name }],
          principals: idsOf(server, people),
        }),
      change: () => join(joined, orSelf(people, by)),
    }
  },
)

const unsubscribe = step('unsubscribe', anyone, { stream }, ({ by, stream }, model) => {
  const streamLeft = pick(model, stream)
  return {
    call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [streamLeft.name] }),
    change: () => leave(model, streamLeft, [by]),
  }
})

const unsubscribeOthers = step(
  'unsubscribe others',
  mostlyAdministrators,
  { stream, other: stream, people },
  ({ stream, other, people }, model, server) => {
    const streamsLeft = [...new Set([pick(model, stream), pick(model, other)])]
    return {
      call: ({ subscriptions }) =>
        subscriptions.unsubscribe({
          subscriptions: streamsLeft.map(({ name }) => name),
          principals: idsOf(server, people),
        }),
      change: () => {
        for (const stream of streamsLeft) leave(model, stream, people)
      },
    }
  },
)

const changeSubscriptions = step(
  'change subscriptions',
  mostlyAdministrators,
  { stream, other: stream, people: peopleOrSelf },
  ({ by, stream, other, people }, model, server) => {
    const [joined, streamLeft] = [pick(model, stream), pick(model, other)]
    // A call that joins and leaves the same stream has a momentary subscriber, which the expected
    // state does not cover.
    if (joined.isArchived || joined === streamLeft) return undefined
    return {
      call: ({ subscriptions }) =>
        subscriptions.change({
          add: [{ name: joined.name }],
          delete: [streamLeft.name],
          principals: idsOf(server, people),
        }),
      change: () => {
        join(joined, orSelf(people, by))
        leave(model, streamLeft, orSelf(people, by))
      },
    }
  },
)

const changePrivacy = step(
  'change privacy',
  mostlyAdministrators,
  { stream, is_private: fc.boolean(), history_public_to_subscribers: fc.boolean() },
  ({ stream, is_private, history_public_to_subscribers }, model) => {
    const changed = pick(model, stream)
    return {
      call: ({ streams }) =>
        streams.update({ stream_id: changed.id, is_private, history_public_to_subscribers }),
      change: () => {
        const isClosed = is_private && !changed.isPrivate
        changed.isPrivate = is_private
        if (isClosed) removeBotsWithoutOwner(model, changed)
      },
    }
  },
)

const rename = step('rename', mostlyAdministrators, { stream, word }, ({ stream, word }, model) => {
  const renamed = pick(model, stream)
  const name = `${word} ${renamed.mark}`
  return {
    call: ({ streams }) => streams.update({ stream_id: renamed.id, new_name: name, description: word }),
    change: () => {
      renamed.name = name
    },
  }
})

const archiveStream = step('archive', mostlyAdministrators, { stream }, ({ stream }, model) => {
  const archived = pick(model, stream)
  return {
    call: ({ streams }) => streams.archive({ stream_id: archived.id }),
    change: () => archive(archived),
  }
})

const changeDefault = step(
  'change default',
  mostlyAdministrators,
  { stream, isDefault: fc.boolean() },
  ({ stream, isDefault }, model) => {
    const changed = pick(model, stream)
    return {
      call: ({ defaultStreams }) => defaultStreams[isDefault ? 'add' : 'remove']({ stream_id: changed.id }),
      change: () => {
        changed.isDefault = isDefault
      },
    }
  },
)

const mute = step(
  'mute',
  anyone,
  { stream, topic: fc.constantFrom('moles', 'weeds'), op: fc.constantFrom('add', 'add', 'remove') },
  ({ stream, topic, op }, model) => ({
    call: ({ subscriptions }) => subscriptions.muteTopic({ stream_id: pick(model, stream).id, topic, op }),
    change: () => {},
  }),
)

/** Lowers the roles of bots to the roles of their owners. A lower role has a higher number. */
function limitBots(accounts: Model['accounts']): void {
  for (const account of Object.values(accounts)) {
    const owner = account.ownedBy && accounts[account.ownedBy]
    if (owner) account.role = Math.max(account.role, owner.role) as Role
  }
}

const changeRole = step(
  'change role',
  mostlyAdministrators,
  { whom, role: fc.constantFrom(...rolesOfGeneration27) },
  ({ whom, role }, model, { people }) => ({
    call: ({ users }) => users.update({ user_id: people[whom].user_id, role }),
    change: () => {
      const { accounts, streams } = model
      const isNewGuest = role === Role.guest && accounts[whom].role !== Role.guest
      accounts[whom].role = role
      limitBots(accounts)
      if (!isNewGuest) return
      const closed = streams.filter(({ isPrivate, members }) => !isPrivate && !members.has(whom))
      const bots = names.filter((name) => accounts[name].ownedBy === whom)
      for (const stream of closed) leave(model, stream, bots)
    },
  }),
)

const deactivateAccount = step(
  'deactivate',
  mostlyAdministrators,
  { whom },
  ({ whom }, model, { people }) => ({
    call: ({ users }) => users.deactivate({ user_id: people[whom].user_id }),
    change: () => deactivate(model, whom),
  }),
)

const reactivateAccount = step(
  'reactivate',
  mostlyAdministrators,
  { whom },
  ({ whom }, { accounts }, { people }) => ({
    call: ({ users }) => users.reactivate({ user_id: people[whom].user_id }),
    change: () => {
      accounts[whom].isActive = true
      limitBots(accounts)
    },
  }),
)

export const steps = [
  create,
  subscribe,
  subscribe,
  unsubscribe,
  unsubscribeOthers,
  changeSubscriptions,
  changePrivacy,
  rename,
  archiveStream,
  changeDefault,
  mute,
  changeRole,
  changeRole,
  deactivateAccount,
  reactivateAccount,
]

/**
 * Creates the first streams of a story: a public and a private one, with subscribers and a user who
 * left.
 */
export async function makeFirstStreams(model: Model, server: TestedServer): Promise<void> {
  const { ada, nora } = server.people
  for (const invite_only of [false, true]) {
    const mark = server.nextMark()
    const name = `first ${mark}`
    const members: Name[] = ['ada', 'mia', 'nora', 'gus', 'robin']
    const before = structuredClone(model)
    await ada.subscriptions.subscribe({
      subscriptions: [{ name }],
      principals: idsOf(server, members),
      invite_only,
    })
    const made = newStream({ id: await server.findStream(name), mark, name, isPrivate: invite_only })
    join(made, members)
    model.streams.push(made)
    await server.compare(before, model)
    const joined = structuredClone(model)
    await nora.subscriptions.unsubscribe({ subscriptions: [name] })
    leave(model, made, ['nora'])
    await server.compare(joined, model)
  }
}

const orSelf = (people: readonly Name[], by: Name) => (people.length > 0 ? people : [by])
const idsOf = ({ people }: TestedServer, chosen: readonly Name[]) =>
  chosen.map((name) => people[name].user_id)

/** Asserts that enough steps succeeded, because a story in which all are refused would test nothing. */
export function assertEnoughSucceeded({ outcomes }: TestedServer): void {
  const total = (outcome: 'done' | 'refused') =>
    Object.values(outcomes).reduce((sum, counts) => sum + counts[outcome], 0)
  assert.ok(total('done') > total('refused') / 3, `most steps were refused: ${JSON.stringify(outcomes)}`)
}
