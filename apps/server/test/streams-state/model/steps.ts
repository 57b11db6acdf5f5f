import assert from 'node:assert/strict'
import { Role } from '@oxbow/contract'
import fc from 'fast-check'
import {
  archive,
  deactivate,
  join,
  leave,
  type Name,
  names,
  newStream,
  type Picture,
  removeBotsWithoutOwner,
} from './picture.ts'
import type { Real } from './real.ts'
import { anyone, mostlyAdministrators, people, peopleOrSelf, pick, step, stream, whom } from './step.ts'

const word = fc.constantFrom('apple', 'Elm', 'zoo', '🦉')

const create = step(
  'create',
  anyone,
  { word, invite_only: fc.boolean(), people: peopleOrSelf },
  ({ by, word, invite_only, people }, picture, real) => {
    const mark = real.nextMark()
    const name = `${word} ${mark}`
    return {
      call: ({ subscriptions }) =>
        subscriptions.subscribe({ subscriptions: [{ name }], invite_only, principals: idsOf(real, people) }),
      async change() {
        const made = newStream({ id: await real.findStream(name), mark, name, isPrivate: invite_only })
        join(made, orSelf(people, by))
        picture.streams.push(made)
      },
    }
  },
)

const subscribe = step(
  'subscribe',
  anyone,
  { stream, people: peopleOrSelf },
  ({ by, stream, people }, picture, real) => {
    const joined = pick(picture, stream)
    // The name of a deleted stream would create another one.
    if (joined.isArchived) return undefined
    return {
      call: ({ subscriptions }) =>
        subscriptions.subscribe({ subscriptions: [{ name: joined.name }], principals: idsOf(real, people) }),
      change: () => join(joined, orSelf(people, by)),
    }
  },
)

const unsubscribe = step('unsubscribe', anyone, { stream }, ({ by, stream }, picture) => {
  const streamLeft = pick(picture, stream)
  return {
    call: ({ subscriptions }) => subscriptions.unsubscribe({ subscriptions: [streamLeft.name] }),
    change: () => leave(picture, streamLeft, [by]),
  }
})

const unsubscribeOthers = step(
  'unsubscribe others',
  mostlyAdministrators,
  { stream, other: stream, people },
  ({ stream, other, people }, picture, real) => {
    const streamsLeft = [...new Set([pick(picture, stream), pick(picture, other)])]
    return {
      call: ({ subscriptions }) =>
        subscriptions.unsubscribe({
          subscriptions: streamsLeft.map(({ name }) => name),
          principals: idsOf(real, people),
        }),
      change: () => {
        for (const stream of streamsLeft) leave(picture, stream, people)
      },
    }
  },
)

const changeSubscriptions = step(
  'change subscriptions',
  mostlyAdministrators,
  { stream, other: stream, people: peopleOrSelf },
  ({ by, stream, other, people }, picture, real) => {
    const [joined, streamLeft] = [pick(picture, stream), pick(picture, other)]
    // A stream that is joined and left in one call has a momentary subscriber, which the picture does not
    // show.
    if (joined.isArchived || joined === streamLeft) return undefined
    return {
      call: ({ subscriptions }) =>
        subscriptions.change({
          add: [{ name: joined.name }],
          delete: [streamLeft.name],
          principals: idsOf(real, people),
        }),
      change: () => {
        join(joined, orSelf(people, by))
        leave(picture, streamLeft, orSelf(people, by))
      },
    }
  },
)

const changePrivacy = step(
  'change privacy',
  mostlyAdministrators,
  { stream, is_private: fc.boolean(), history_public_to_subscribers: fc.boolean() },
  ({ stream, is_private, history_public_to_subscribers }, picture) => {
    const changed = pick(picture, stream)
    return {
      call: ({ streams }) =>
        streams.update({ stream_id: changed.id, is_private, history_public_to_subscribers }),
      change: () => {
        const isClosed = is_private && !changed.isPrivate
        changed.isPrivate = is_private
        if (isClosed) removeBotsWithoutOwner(picture, changed)
      },
    }
  },
)

const rename = step('rename', mostlyAdministrators, { stream, word }, ({ stream, word }, picture) => {
  const renamed = pick(picture, stream)
  const name = `${word} ${renamed.mark}`
  return {
    call: ({ streams }) => streams.update({ stream_id: renamed.id, new_name: name, description: word }),
    change: () => {
      renamed.name = name
    },
  }
})

const archiveStream = step('archive', mostlyAdministrators, { stream }, ({ stream }, picture) => {
  const archived = pick(picture, stream)
  return {
    call: ({ streams }) => streams.archive({ stream_id: archived.id }),
    change: () => archive(archived),
  }
})

const changeDefault = step(
  'change default',
  mostlyAdministrators,
  { stream, isDefault: fc.boolean() },
  ({ stream, isDefault }, picture) => {
    const changed = pick(picture, stream)
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
  ({ stream, topic, op }, picture) => ({
    call: ({ subscriptions }) => subscriptions.muteTopic({ stream_id: pick(picture, stream).id, topic, op }),
    change: () => {},
  }),
)

/** Lowers the roles of bots to those of their owners. A lower role has a higher number. */
function limitBots(accounts: Picture['accounts']): void {
  for (const account of Object.values(accounts)) {
    const owner = account.ownedBy && accounts[account.ownedBy]
    if (owner) account.role = Math.max(account.role, owner.role) as Role
  }
}

const changeRole = step(
  'change role',
  mostlyAdministrators,
  { whom, role: fc.constantFrom(...Object.values(Role)) },
  ({ whom, role }, picture, { people }) => ({
    call: ({ users }) => users.update({ user_id: people[whom].user_id, role }),
    change: () => {
      const { accounts, streams } = picture
      const isNewGuest = role === Role.guest && accounts[whom].role !== Role.guest
      accounts[whom].role = role
      limitBots(accounts)
      if (!isNewGuest) return
      const closed = streams.filter(({ isPrivate, members }) => !isPrivate && !members.has(whom))
      const bots = names.filter((name) => accounts[name].ownedBy === whom)
      for (const stream of closed) leave(picture, stream, bots)
    },
  }),
)

const deactivateAccount = step(
  'deactivate',
  mostlyAdministrators,
  { whom },
  ({ whom }, picture, { people }) => ({
    call: ({ users }) => users.deactivate({ user_id: people[whom].user_id }),
    change: () => deactivate(picture, whom),
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

/** Makes the first streams of a story: a public and a private one, with subscribers and a user who left. */
export async function makeFirstStreams(picture: Picture, real: Real): Promise<void> {
  const { ada, nora } = real.people
  for (const invite_only of [false, true]) {
    const mark = real.nextMark()
    const name = `first ${mark}`
    const members: Name[] = ['ada', 'mia', 'nora', 'gus', 'robin']
    const before = structuredClone(picture)
    await ada.subscriptions.subscribe({
      subscriptions: [{ name }],
      principals: idsOf(real, members),
      invite_only,
    })
    const made = newStream({ id: await real.findStream(name), mark, name, isPrivate: invite_only })
    join(made, members)
    picture.streams.push(made)
    await real.compare(before, picture)
    const joined = structuredClone(picture)
    await nora.subscriptions.unsubscribe({ subscriptions: [name] })
    leave(picture, made, ['nora'])
    await real.compare(joined, picture)
  }
}

const orSelf = (people: readonly Name[], by: Name) => (people.length > 0 ? people : [by])
const idsOf = ({ people }: Real, chosen: readonly Name[]) => chosen.map((name) => people[name].user_id)

/** Asserts that enough steps succeeded, because a test that is refused everything tests nothing. */
export function assertTried({ outcomes }: Real): void {
  const total = (outcome: 'done' | 'refused') =>
    Object.values(outcomes).reduce((sum, counts) => sum + counts[outcome], 0)
  assert.ok(total('done') > total('refused') / 3, `most was refused: ${JSON.stringify(outcomes)}`)
}
