import { isAdministrator, Role, type StreamId } from '@oxbow/contract'

/** Users in the stories, whose states are compared. The role of `owner` never changes. */
export const names = ['owner', 'ada', 'mia', 'nora', 'gus', 'robin'] as const
export type Name = (typeof names)[number]

interface ModelAccount {
  role: Role
  isActive: boolean
  /** The owner of a bot. The bot is deactivated and reactivated with its owner. */
  ownedBy?: Name
}

export interface ModelStream {
  id: StreamId
  /**
   * A text that occurs in every name of this stream and in no other, by which all mentions of the
   * stream in a response are found.
   */
  mark: string
  name: string
  isPrivate: boolean
  isArchived: boolean
  isDefault: boolean
  members: Set<Name>
  everMembers: Set<Name>
}

/** The expected state as plain data, independent of the server's code. */
export interface Model {
  accounts: Record<Name, ModelAccount>
  streams: ModelStream[]
}

export function initialModel(): Model {
  const account = (role: Role, ownedBy?: Name) => ({ role, isActive: true, ...(ownedBy && { ownedBy }) })
  return {
    accounts: {
      owner: account(Role.owner),
      ada: account(Role.administrator),
      mia: account(Role.member),
      nora: account(Role.member),
      gus: account(Role.guest),
      robin: account(Role.member, 'mia'),
    },
    streams: [],
  }
}

/** Returns whether the viewer can see and join the stream without being subscribed. */
function isVisibleWithoutSubscription({ accounts }: Model, viewer: Name, stream: ModelStream): boolean {
  return !stream.isPrivate && accounts[viewer].role !== Role.guest
}

function seesStream(model: Model, viewer: Name, stream: ModelStream): boolean {
  if (stream.isArchived) return false
  return (
    isVisibleWithoutSubscription(model, viewer, stream) ||
    stream.everMembers.has(viewer) ||
    isAdmin(model, viewer)
  )
}

function seesMembers(model: Model, viewer: Name, stream: ModelStream): boolean {
  if (stream.isArchived) return false
  return (
    isVisibleWithoutSubscription(model, viewer, stream) ||
    stream.members.has(viewer) ||
    isAdmin(model, viewer)
  )
}

const isAdmin = ({ accounts }: Model, viewer: Name) => isAdministrator(accounts[viewer].role)

/** Streams, by their marks, that a user may see. */
export interface ReadState {
  streams: ReadonlySet<string>
  members: ReadonlySet<string>
  defaults: ReadonlySet<string>
}

export function readStateOf(model: Model, viewer: Name): ReadState {
  const isGuest = model.accounts[viewer].role === Role.guest
  const marks = (isSeen: (stream: ModelStream) => boolean) =>
    new Set(model.streams.filter(isSeen).map(({ mark }) => mark))
  return {
    streams: marks((stream) => seesStream(model, viewer, stream)),
    members: marks((stream) => seesMembers(model, viewer, stream)),
    defaults: marks(({ isDefault }) => isDefault && !isGuest),
  }
}

/** Expected lists of a user: marks of streams, and the subscribers that the user can see. */
export interface Lists {
  subscriptions: Record<string, Name[] | undefined>
  unsubscribed: Record<string, Name[] | undefined>
  never_subscribed: Record<string, Name[] | undefined>
  streams: string[]
  realm_default_streams: string[]
}

export function listsOf(model: Model, viewer: Name): Lists {
  const { streams, accounts } = model
  const visibleStreams = streams.filter((stream) => seesStream(model, viewer, stream))
  const membersOf = (stream: ModelStream) =>
    seesMembers(model, viewer, stream)
      ? names.filter((name) => stream.members.has(name) && accounts[name].isActive)
      : undefined
  const listed = (isListed: (stream: ModelStream) => boolean) =>
    Object.fromEntries(visibleStreams.filter(isListed).map((stream) => [stream.mark, membersOf(stream)]))
  const isIn = ({ members }: ModelStream) => members.has(viewer)
  const wasIn = ({ everMembers }: ModelStream) => everMembers.has(viewer)
  return {
    subscriptions: listed(isIn),
    unsubscribed: listed((stream) => wasIn(stream) && !isIn(stream)),
    never_subscribed: listed((stream) => !wasIn(stream)),
    streams: visibleStreams
      .filter((stream) => isIn(stream) || isVisibleWithoutSubscription(model, viewer, stream))
      .map(({ mark }) => mark)
      .sort(),
    realm_default_streams: [...readStateOf(model, viewer).defaults].sort(),
  }
}

export function newStream(fields: Pick<ModelStream, 'id' | 'mark' | 'name' | 'isPrivate'>): ModelStream {
  return { ...fields, isArchived: false, isDefault: false, members: new Set(), everMembers: new Set() }
}

export function join(stream: ModelStream, people: readonly Name[]): void {
  for (const name of people) {
    stream.members.add(name)
    stream.everMembers.add(name)
  }
}

/**
 * Unsubscribes people, and the bots of people who thereby lose access. A private stream without
 * active subscribers is archived.
 */
export function leave(model: Model, stream: ModelStream, people: readonly Name[]): void {
  const { accounts } = model
  const leaving = people.filter((name) => stream.members.delete(name))
  for (const name of names) {
    const { ownedBy } = accounts[name]
    if (ownedBy && leaving.includes(ownedBy) && !isVisibleWithoutSubscription(model, ownedBy, stream))
      stream.members.delete(name)
  }
  const isVacant = ![...stream.members].some((name) => accounts[name].isActive)
  if (leaving.length > 0 && isVacant && stream.isPrivate) archive(stream)
}

/** Unsubscribes bots whose owners are not subscribed. */
export function removeBotsWithoutOwner(model: Model, stream: ModelStream): void {
  const stray = names.filter((name) => {
    const { ownedBy } = model.accounts[name]
    return ownedBy !== undefined && !stream.members.has(ownedBy)
  })
  leave(model, stream, stray)
}

export function archive(stream: ModelStream): void {
  stream.isArchived = true
  stream.isDefault = false
  stream.members.clear()
}

export function deactivate({ accounts }: Model, name: Name): void {
  for (const [other, account] of Object.entries(accounts))
    if (other === name || account.ownedBy === name) account.isActive = false
}
