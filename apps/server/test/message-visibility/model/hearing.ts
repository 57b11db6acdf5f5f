import { accepted } from './accepted.ts'
import {
  flagsOf,
  isGuest,
  isInReach,
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
const everyoneIn = (people: readonly Sender[]) => new Set(names.filter((name) => people.includes(name)))

/** A new message goes to whoever it came to, and to those who ask for everything that is public. */
export function tellNew(model: Model, message: Message): void {
  const { id, people, place, topic, receivers, notes } = message
  const to = people ? everyoneIn(people) : new Set([...receivers, ...notes.keys()])
  const flags = new Map([...to].map((name) => [name, flagsOf(model, name, message)]))
  const sent = { stream: people ? null : streamOf(model, place).name, topic, flags }
  const toAllPublic = whoAsksForAllPublic(model, message)
  model.told.push({ message: id, what: 'message', to, toAllPublic, perhapsTo: nobody, sent })
}

/** What happens to a message in its place. */
export function tell(model: Model, message: Message, what: string): void {
  const { id, people } = message
  const hearing = people ? { to: everyoneIn(people), perhapsTo: nobody } : whoHears(model, message)
  model.told.push({ message: id, what, ...hearing, toAllPublic: whoAsksForAllPublic(model, message) })
}

/** Whoever is in the stream, if its history is for them or the message came to them; and whoever keeps it otherwise. */
function whoHears(model: Model, message: Message): { to: Set<Name>; perhapsTo: Set<Name> } {
  const { members, kind } = streamOf(model, message.place)
  const present = new Set([...members].filter((name) => kind !== 'protected' || message.receivers.has(name)))
  const perhapsTo = new Set(
    names.filter((name) => !present.has(name) && model.motion.stars.has(`${name} ${message.id}`)),
  )
  const inReach = (some: Set<Name>) => new Set([...some].filter((name) => isInReach(model, name, message)))
  const keepers = inReach(keepersOf(model, message))
  return { to: present.union(keepers.difference(perhapsTo)), perhapsTo: inReach(perhapsTo) }
}

/** They starred it, reacted to it and have it still, or came by it in another way than by being in the stream. */
function keepersOf(model: Model, message: Message): Set<Name> {
  const { notes, receivers, reactions } = message
  const hasReacted = (name: Name) => [...reactions].some((each) => each.startsWith(`${name} `))
  return new Set(
    names.filter(
      (name) =>
        notes.get(name)?.isStarred ||
        (notes.has(name) && !receivers.has(name)) ||
        (hasReacted(name) && isReceived(model, name, message)),
    ),
  )
}

function whoAsksForAllPublic(model: Model, { people, place }: Message): Set<Name> {
  const isOpen = !people && isPublic(streamOf(model, place))
  return new Set(isOpen ? names.filter((name) => !isGuest(model, name)) : [])
}

/** Guests who were where it was and never were where it goes: to them it is gone. */
export const losesByMove = (model: Model, name: Name, to: Stream): boolean =>
  isGuest(model, name) && !to.everMembers.has(name)

/** Before it is moved. Guests in the new place who never were in the old one must not hear what that was called. */
export function tellMove(model: Model, message: Message, to: Stream, what: string): void {
  const { id: moved, notes } = message
  const from = streamOf(model, message.place)
  const { to: hearing, perhapsTo } = whoHears(model, message)
  const isLosing = (name: Name) => losesByMove(model, name, to)
  const losing = new Set([...hearing, ...notes.keys()].filter(isLosing))
  model.told.push({ message: moved, what: 'delete', to: losing, toAllPublic: nobody, perhapsTo })
  const mustNotKnow = (name: Name) => isGuest(model, name) && !from.everMembers.has(name)
  const arrived = [...to.members].filter((name) => !mustNotKnow(name))
  const isMissed = (name: Name) => accepted.keepersMissMoves && to.members.has(name) && mustNotKnow(name)
  const staying = [...hearing.difference(losing)].filter((name) => !isMissed(name))
  model.told.push({
    message: moved,
    what,
    to: new Set([...staying, ...arrived]),
    toAllPublic: whoAsksForAllPublic(model, message),
    perhapsTo,
  })
}
