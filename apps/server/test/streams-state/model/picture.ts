import { isAdministrator, Role, type StreamId } from '@oxbow/contract'

/** Users in the stories, who also watch. The role of `owner` never changes. */
export const names = ['owner', 'ada', 'mia', 'nora', 'gus', 'robin'] as const
export type Name = (typeof names)[number]

export interface PicturedAccount {
  role: Role
  isActive: boolean
  /** A bot is deactivated and reactivated with its owner. */
  ownedBy?: Name
}

export interface PicturedStream {
  id: StreamId
  /**
   * A text that is part of every name of this stream and of no other, to find all mentions of the stream
   * in a response.
   */
  mark: string
  name: string
  isPrivate: boolean
  isArchived: boolean
  isDefault: boolean
  members: Set<Name>
  everMembers: Set<Name>
}

/** The expected state, in plain data, independent of the server's implementation. */
export interface Picture {
  accounts: Record<Name, PicturedAccount>
  streams: PicturedStream[]
}

export function initialPicture(): Picture {
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
function isVisibleWithoutSubscription({ accounts }: Picture, viewer: Name, stream: PicturedStream): boolean {
  return !stream.isPrivate && accounts[viewer].role !== Role.guest
}

function seesStream(picture: Picture, viewer: Name, stream: PicturedStream): boolean {
  if (stream.isArchived) return false
  return (
    isVisibleWithoutSubscription(picture, viewer, stream) ||
    stream.everMembers.has(viewer) ||
    isAdmin(picture, viewer)
  )
}

function seesMembers(picture: Picture, viewer: Name, stream: PicturedStream): boolean {
  if (stream.isArchived) return false
  return (
    isVisibleWithoutSubscription(picture, viewer, stream) ||
    stream.members.has(viewer) ||
    isAdmin(picture, viewer)
  )
}

const isAdmin = ({ accounts }: Picture, viewer: Name) => isAdministrator(accounts[viewer].role)

/** Streams, by their marks, that a user may know of. */
export interface ReadState {
  streams: ReadonlySet<string>
  members: ReadonlySet<string>
  defaults: ReadonlySet<string>
}

export function readStateOf(picture: Picture, viewer: Name): ReadState {
  const isGuest = picture.accounts[viewer].role === Role.guest
  const marks = (isSeen: (stream: PicturedStream) => boolean) =>
    new Set(picture.streams.filter(isSeen).map(({ mark }) => mark))
  return {
    streams: marks((stream) => seesStream(picture, viewer, stream)),
    members: marks((stream) => seesMembers(picture, viewer, stream)),
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

export function listsOf(picture: Picture, viewer: Name): Lists {
  const { streams, accounts } = picture
  const visibleStreams = streams.filter((stream) => seesStream(picture, viewer, stream))
  const membersOf = (stream: PicturedStream) =>
    seesMembers(picture, viewer, stream)
      ? names.filter((name) => stream.members.has(name) && accounts[name].isActive)
      : undefined
  const listed = (isListed: (stream: PicturedStream) => boolean) =>
    Object.fromEntries(visibleStreams.filter(isListed).map((stream) => [stream.mark, membersOf(stream)]))
  const isIn = ({ members }: PicturedStream) => members.has(viewer)
  const wasIn = ({ everMembers }: PicturedStream) => everMembers.has(viewer)
  return {
    subscriptions: listed(isIn),
    unsubscribed: listed((stream) => wasIn(stream) && !isIn(stream)),
    never_subscribed: listed((stream) => !wasIn(stream)),
    streams: visibleStreams
      .filter((stream) => isIn(stream) || isVisibleWithoutSubscription(picture, viewer, stream))
      .map(({ mark }) => mark)
      .sort(),
    realm_default_streams: [...readStateOf(picture, viewer).defaults].sort(),
  }
}

export function newStream(
  fields: Pick<PicturedStream, 'id' | 'mark' | 'name' | 'isPrivate'>,
): PicturedStream {
  return { ...fields, isArchived: false, isDefault: false, members: new Set(), everMembers: new Set() }
}

export function join(stream: PicturedStream, people: readonly Name[]): void {
  for (const name of people) {
    stream.members.add(name)
    stream.everMembers.add(name)
  }
}

/**
 * Unsubscribes people, and the bots of those who lose access by it. A private stream without active
 * subscribers is archived.
 */
export function leave(picture: Picture, stream: PicturedStream, people: readonly Name[]): void {
  const { accounts } = picture
  const leaving = people.filter((name) => stream.members.delete(name))
  for (const name of names) {
    const { ownedBy } = accounts[name]
    if (ownedBy && leaving.includes(ownedBy) && !isVisibleWithoutSubscription(picture, ownedBy, stream))
      stream.members.delete(name)
  }
  const isVacant = ![...stream.members].some((name) => accounts[name].isActive)
  if (leaving.length > 0 && isVacant && stream.isPrivate) archive(stream)
}

/** Unsubscribes bots whose owners are not subscribed. */
export function removeBotsWithoutOwner(picture: Picture, stream: PicturedStream): void {
  const stray = names.filter((name) => {
    const { ownedBy } = picture.accounts[name]
    return ownedBy !== undefined && !stream.members.has(ownedBy)
  })
  leave(picture, stream, stray)
}

export function archive(stream: PicturedStream): void {
  stream.isArchived = true
  stream.isDefault = false
  stream.members.clear()
}

export function deactivate({ accounts }: Picture, name: Name): void {
  for (const [other, account] of Object.entries(accounts))
    if (other === name || account.ownedBy === name) account.isActive = false
}
