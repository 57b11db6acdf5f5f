import { texts } from './texts.ts'

/** A team as the tests know it: what an archive is written from, and what people must read after the import. */
export interface Profile {
  people: number
  places: number
  messages: number
  files: number
  seed: number
}

export const profiles = {
  tiny: { people: 5, places: 6, messages: 120, files: 8, seed: 1 },
  garden: { people: 60, places: 80, messages: 30_000, files: 500, seed: 2 },
  year: { people: 400, places: 900, messages: 1_000_000, files: 20_000, seed: 3 },
} satisfies Record<string, Profile>

export interface TeamPerson {
  id: string
  name: string
  email: string
  role: 'owner' | 'administrator' | 'member' | 'guest'
  isActive: boolean
  isBot: boolean
}

export interface TeamPlace {
  id: string
  kind: 'public' | 'private' | 'conversation'
  name: string
  isArchived: boolean
  /** Positions in the list of people. */
  members: number[]
}

export interface TeamMessage {
  /** Position among all messages, and in time. */
  index: number
  place: TeamPlace
  author: TeamPerson
  /** Microseconds since 1970. No two messages have the same. */
  at: number
  text: string
  /** The first message of the thread, for replies. */
  root?: { index: number; at: number }
  isBroadcast: boolean
  isEdited: boolean
  reactions: { emoji: string; people: TeamPerson[] }[]
  file?: { id: string; name: string; content: Buffer }
}

export interface Team {
  profile: Profile
  people: TeamPerson[]
  places: TeamPlace[]
  /** Yields the messages in the order of their times; each time the same. */
  messages(): Generator<TeamMessage>
}

const start = Date.UTC(2023, 0, 5, 9) * 1_000
const emoji = ['rose', 'tada', '+1', 'white_check_mark', 'eyes']
const recentRoots = 4

/** Makes a random team. The same profile makes the same team. */
export function makeTeam(profile: Profile): Team {
  const people = Array.from({ length: profile.people }, (_, index) => makePerson(index, profile.people))
  const places = Array.from({ length: profile.places }, (_, index) => makePlace(index, profile.people))
  return { profile, people, places, messages: () => makeMessages(profile, people, places) }
}

function makePerson(index: number, count: number): TeamPerson {
  const number = String(index).padStart(5, '0')
  const isBot = index === 3
  const role = (['owner', 'administrator', 'member', 'member', 'guest'] as const)[index] ?? 'member'
  return {
    id: `${isBot ? 'B' : 'U'}${number}XYZ`,
    name: isBot ? 'Weather Bot' : `Person ${index} Gärtner`,
    email: isBot ? '' : `person${index}@garden.example`,
    role,
    isActive: !isBot && (index < 5 || index < count - 2),
    isBot,
  }
}

function makePlace(index: number, people: number): TeamPlace {
  const kind = (['public', 'private', 'conversation', 'public', 'conversation', 'public'] as const)[index % 6]
  const number = String(index).padStart(5, '0')
  // Conversations of different people: each pair and each group occurs once.
  const pair = [index % people, (index + 1 + Math.floor(index / people)) % people]
  const members =
    kind === 'conversation'
      ? [...new Set(index % 12 === 4 ? [...pair, (index + 2) % people] : pair)]
      : Array.from({ length: people }, (_, person) => person).filter(
          (person) => kind === 'public' || (person + index) % 3 === 0 || person === 0,
        )
  return {
    id: `${kind === 'conversation' ? 'D' : 'C'}${number}XYZ`,
    kind: kind ?? 'public',
    name: kind === 'conversation' ? '' : `place-${index}`,
    isArchived: kind === 'public' && index % 9 === 3,
    members,
  }
}

function* makeMessages(profile: Profile, people: TeamPerson[], places: TeamPlace[]): Generator<TeamMessage> {
  const roll = random(profile.seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(roll() * items.length)] as Item
  const roots = new Map<TeamPlace, { index: number; at: number }[]>()
  const fileEvery = Math.max(1, Math.floor(profile.messages / profile.files))
  let at = start
  for (let index = 0; index < profile.messages; index++) {
    at += 1 + Math.floor(roll() * 60_000_000)
    const place = pick(places)
    const known = roots.get(place) ?? []
    const root = known.length > 0 && roll() < 0.4 ? pick(known) : undefined
    if (!root && roll() < 0.3) roots.set(place, [...known, { index, at }].slice(-recentRoots))
    const author = people[pick(place.members)] as TeamPerson
    const reactions =
      roll() < 0.1 ? [{ emoji: pick(emoji), people: [people[pick(place.members)] as TeamPerson] }] : []
    const fileId = `F${String(index).padStart(7, '0')}`
    yield {
      index,
      place,
      author,
      at,
      text: `${pick(texts)} (${index})`,
      ...(root && { root }),
      isBroadcast: root !== undefined && place.kind !== 'conversation' && roll() < 0.05,
      isEdited: roll() < 0.05,
      reactions,
      ...(index % fileEvery === 0 && {
        file: { id: fileId, name: `note ${index}.txt`, content: Buffer.from(`file of message ${index}\n`) },
      }),
    }
  }
}

/** A random number generator by mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
