import {
  canAccessStream,
  flagsOf,
  isGuest,
  isPublic,
  isReceived,
  type Message,
  type Model,
  type Name,
  names,
  type Sender,
  type Stream,
  streamOf,
} from './model.ts'

const nobody: ReadonlySet<Name> = new Set()
const findParticipants = (people: readonly Sender[]) => new Set(names.filter((name) => people.includes(name)))

/**
 * Records the expected event of a new message, for its recipients and for queues with
 * `all_public_streams`.
 */
export function expectNewMessage(model: Model, message: Message): void {
  const { id, people, streamId, topic, receivers, notes } = message
  const to = people ? findParticipants(people) : new Set([...receivers, ...notes.keys()])
  const flags = new Map([...to].map((name) => [name, flagsOf(model, name, message)]))
  const sent = { stream: people ? null : streamOf(model, streamId).name, topic, flags }
  const toAllPublic = findAllPublicReaders(model, message)
  model.expectedEvents.push({ message: id, what: 'message', to, toAllPublic, uncertainTo: nobody, sent })
}

/** Records an expected event about a message that stays in its stream. */
export function expectEvent(model: Model, message: Message, what: string): void {
  const { id, people } = message
  const audience = people
    ? { to: findParticipants(people), uncertainTo: nobody }
    : findAudience(model, message)
  model.expectedEvents.push({
    message: id,
    what,
    ...audience,
    toAllPublic: findAllPublicReaders(model, message),
  })
}

/**
 * Returns the subscribers of the stream who can see the message, and other users who have access to
 * it.
 */
function findAudience(model: Model, message: Message): { to: Set<Name>; uncertainTo: Set<Name> } {
  const { members, kind } = streamOf(model, message.streamId)
  const present = new Set([...members].filter((name) => kind !== 'protected' || message.receivers.has(name)))
  const uncertainTo = new Set(
    names.filter((name) => !present.has(name) && model.changes.stars.has(`${name} ${message.id}`)),
  )
  const filterByAccess = (candidates: Set<Name>) =>
    new Set([...candidates].filter((name) => canAccessStream(model, name, message)))
  const keepers = filterByAccess(findKeepers(model, message))
  return { to: present.union(keepers.difference(uncertainTo)), uncertainTo: filterByAccess(uncertainTo) }
}

/**
 * Returns users who still have the message and starred it, reacted to it, or received it without
 * being subscribed.
 */
function findKeepers(model: Model, message: Message): Set<Name> {
  const { notes, receivers, reactions } = message
  const hasReacted = (name: Name) => [...reactions].some((reaction) => reaction.startsWith(`${name} `))
  return new Set(
    names.filter(
      (name) =>
        isReceived(model, name, message) &&
        (notes.get(name)?.isStarred || (notes.has(name) && !receivers.has(name)) || hasReacted(name)),
    ),
  )
}

function findAllPublicReaders(model: Model, { people, streamId }: Message): Set<Name> {
  const isOpen = !people && isPublic(streamOf(model, streamId))
  return new Set(isOpen ? names.filter((name) => !isGuest(model, name)) : [])
}

/**
 * Returns whether a user loses a message that is moved to `to`. Only guests who are not subscribed
 * there do.
 */
export const losesByMove = (model: Model, name: Name, to: Stream): boolean =>
  isGuest(model, name) && !to.members.has(name)

/** Records the expected events of a move. Call it before the move. */
export function expectMove(model: Model, message: Message, to: Stream, what: string): void {
  const { id: moved } = message
  const { to: audience, uncertainTo } = findAudience(model, message)
  // Guests who left the old stream lose the message without an event.
  const losing = new Set([...audience].filter((name) => losesByMove(model, name, to)))
  model.expectedEvents.push({ message: moved, what: 'delete', to: losing, toAllPublic: nobody, uncertainTo })
  const staying = audience.difference(losing)
  model.expectedEvents.push({
    message: moved,
    what,
    to: staying.union(to.members),
    toAllPublic: findAllPublicReaders(model, message),
    uncertainTo,
  })
}
