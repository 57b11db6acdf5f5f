import { foldName, listArchivedNames, maxStreamDescriptionLength, maxStreamNameLength } from '@oxbow/contract'
import type { Adapter, Micros, SourceEmoji, SourceFile, SourcePerson, SourcePlace } from '../model/source.ts'
import { ImportRefusal } from '../refusal.ts'
import type { InactiveReason } from '../report/reasons.ts'
import type { Tally } from '../report/tally.ts'
import {
  addSuffix,
  cleanEmojiName,
  cleanPersonName,
  cleanStreamName,
  cut,
  maxEmojiName,
} from '../text/names.ts'
import type { ImportOptions, PersonChange } from './options.ts'

export interface TeamPerson {
  id: number
  name: string
  email: string | null
  role: 100 | 200 | 400 | 600
  inactive: InactiveReason | undefined
  isBot: boolean
  timezone: string
  fields: { title: string; phone: string; pronouns: string }
  picture: SourceFile | undefined
  sourceId: string
}

export interface TeamPlace {
  /** Several private conversations of the same people have one id. */
  id: number
  sourceId: string
  kind: SourcePlace['kind']
  name: string
  sourceName: string
  description: string
  /** The people who read it. */
  members: TeamPerson[]
  archivedName: string | undefined
  isDefault: boolean
  createdAt: Micros | undefined
  archivedAt: Micros | undefined
}

export interface TeamEmoji {
  id: number
  name: string
  picture: SourceFile
}

/** People and emoji that messages name, besides the lists of the archive. */
export interface SeenInMessages {
  /** Names of authors and members of conversations that no list has, by source id. */
  strangers: ReadonlyMap<string, string>
  /** How often reactions use an emoji. */
  emojiUses: ReadonlyMap<string, number>
}

const roles = { owner: 100, administrator: 200, member: 400, guest: 600 } as const
/** Larger groups cannot be private conversations. */
const maxConversation = 1_000
const bySource = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** People, places and emoji of an import, with their ids and valid names. Their order in the archive does not matter. */
export class Team {
  readonly people: TeamPerson[] = []
  readonly places: TeamPlace[] = []
  readonly emoji: TeamEmoji[] = []
  readonly #personById = new Map<string, TeamPerson>()
  readonly #placeById = new Map<string, TeamPlace>()
  readonly #emojiByName = new Map<string, TeamEmoji>()
  #nextPerson: number
  #nextPlace = 1

  private constructor(firstPerson: number) {
    this.#nextPerson = firstPerson
  }

  /** Reads the lists of the archive. `firstPerson` is the first id that no account of the server has. */
  static async read(
    adapter: Adapter,
    seen: SeenInMessages,
    options: ImportOptions,
    tally: Tally,
    firstPerson: number,
  ): Promise<Team> {
    const team = new Team(firstPerson)
    const people = await collect(adapter.readPeople())
    const places = await collect(adapter.readPlaces())
    team.#addPeople(people, options, tally)
    const strangers = new Map(seen.strangers)
    for (const { kind, members } of places)
      if (kind === 'conversation')
        for (const member of members) if (!strangers.has(member)) strangers.set(member, '')
    team.#addStrangers(strangers, tally)
    team.#addPlaces(places, tally)
    team.#addEmoji(await collect(adapter.readEmoji()), seen.emojiUses, options.maxEmoji, tally)
    return team
  }

  person = (sourceId: string): TeamPerson | undefined => this.#personById.get(sourceId)
  place = (sourceId: string): TeamPlace | undefined => this.#placeById.get(sourceId)
  findEmoji = (sourceName: string): TeamEmoji | undefined => this.#emojiByName.get(sourceName)

  #addPeople(people: readonly SourcePerson[], options: ImportOptions, tally: Tally): void {
    const changes = indexChanges(options.people)
    const takenAddresses = new Set<string>()
    for (const person of people.toSorted(bySource)) {
      if (this.#personById.has(person.id)) {
        tally.lose('user_twice', { id: person.id })
        continue
      }
      const change = changes.get(person.id) ?? changes.get(person.email.trim().toLowerCase())
      const email = (change?.email || person.email).trim().toLowerCase()
      const isTaken = email !== '' && takenAddresses.has(email)
      if (isTaken) tally.lose('same_address', { id: person.id })
      const inactive = isTaken ? 'no_email' : whyInactive(person, email, change)
      if (inactive === undefined) takenAddresses.add(email)
      const candidates = [change?.name ?? '', ...person.names]
      const name = cleanPersonName(candidates, person.id)
      noteRename(tally, 'person', candidates.find((candidate) => candidate.trim() !== '') ?? '', name)
      this.#addPerson(
        {
          id: this.#nextPerson++,
          name,
          email: inactive === undefined || (email !== '' && !isTaken && !person.isBot) ? email : null,
          role: email !== '' && email === options.owner ? 100 : roles[person.role],
          inactive,
          isBot: person.isBot === true,
          timezone: person.timezone ?? '',
          fields: { title: person.title ?? '', phone: person.phone ?? '', pronouns: person.pronouns ?? '' },
          picture: person.picture,
          sourceId: person.id,
        },
        person.otherIds ?? [],
      )
    }
  }

  #addStrangers(strangers: ReadonlyMap<string, string>, tally: Tally): void {
    for (const [id, name] of [...strangers].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (this.#personById.has(id)) continue
      tally.lose('unknown_author', { id, name })
      this.#addPerson(
        {
          id: this.#nextPerson++,
          name: cleanPersonName([name], id),
          email: null,
          role: 400,
          inactive: 'placeholder',
          isBot: false,
          timezone: '',
          fields: { title: '', phone: '', pronouns: '' },
          picture: undefined,
          sourceId: id,
        },
        [],
      )
    }
  }

  #addPerson(person: TeamPerson, otherIds: readonly string[]): void {
    this.people.push(person)
    for (const id of [person.sourceId, ...otherIds])
      if (!this.#personById.has(id)) this.#personById.set(id, person)
  }

  #addPlaces(places: readonly SourcePlace[], tally: Tally): void {
    const names = new UniqueNames(maxStreamNameLength, foldName, (number) => ` (${number})`)
    const conversations = new Map<string, number>()
    for (const place of places.toSorted(bySource)) {
      if (this.#placeById.has(place.id)) continue
      const known = [...new Set(place.members)].map((id) => this.#personById.get(id))
      const unknown = known.filter((member) => member === undefined).length
      if (unknown > 0) tally.lose('unknown_member', { place: place.id }, unknown)
      const members = [...new Set(known.filter((member) => member !== undefined))]
      const isConversation = place.kind === 'conversation' && members.length <= maxConversation
      if (place.kind === 'conversation' && members.length === 0) {
        tally.lose('no_members', { place: place.id })
        continue
      }
      if (place.kind === 'conversation' && !isConversation)
        tally.lose('too_many_members', { place: place.id })
      const key = members
        .map(({ id }) => id)
        .sort((a, b) => a - b)
        .join()
      const id = (isConversation ? conversations.get(key) : undefined) ?? this.#nextPlace++
      if (isConversation) conversations.set(key, id)
      const name = isConversation ? '' : names.take(cleanStreamName(place.name, place.id), place.team)
      if (!isConversation) noteRename(tally, 'stream', place.name, name)
      const added: TeamPlace = {
        id,
        sourceId: place.id,
        kind: isConversation ? 'conversation' : place.kind === 'public' ? 'public' : 'private',
        name,
        sourceName: place.name,
        description: cut(place.description.replace(/\s+/g, ' ').trim(), maxStreamDescriptionLength),
        members:
          place.kind === 'private'
            ? members.filter(({ inactive }) => inactive !== 'other_workspace')
            : members,
        archivedName: place.isArchived && !isConversation ? names.takeArchived(name) : undefined,
        isDefault: place.isDefault === true && place.kind === 'public' && !place.isArchived,
        createdAt: place.createdAt,
        archivedAt: place.archivedAt,
      }
      this.places.push(added)
      this.#placeById.set(place.id, added)
    }
  }

  #addEmoji(
    emoji: readonly SourceEmoji[],
    uses: ReadonlyMap<string, number>,
    maxEmoji: number,
    tally: Tally,
  ): void {
    const sources = new Map(emoji.map((each) => [each.name, each]))
    const names = new UniqueNames(
      maxEmojiName,
      (name) => name,
      (number) => `-${number}`,
    )
    const ranked = [...sources.values()].sort(
      (a, b) => (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0) || (a.name < b.name ? -1 : 1),
    )
    for (const each of ranked) {
      const picture = findPicture(each, sources)
      // An alias of a Unicode emoji needs no picture of its own.
      if (!picture || this.emoji.length >= maxEmoji) continue
      const name = names.take(cleanEmojiName(each.name))
      noteRename(tally, 'emoji', each.name, name)
      const added = { id: this.emoji.length + 1, name, picture }
      this.emoji.push(added)
      this.#emojiByName.set(each.name, added)
    }
  }
}

/** Follows aliases to a picture. Returns undefined for aliases of Unicode emoji, and for those that lead nowhere. */
function findPicture(emoji: SourceEmoji, sources: ReadonlyMap<string, SourceEmoji>): SourceFile | undefined {
  let found: SourceEmoji | undefined = emoji
  for (let steps = 0; found?.aliasOf !== undefined && steps < 10; steps++) found = sources.get(found.aliasOf)
  return found?.aliasOf === undefined ? found?.picture : undefined
}

function whyInactive(
  person: SourcePerson,
  email: string,
  change: PersonChange | undefined,
): InactiveReason | undefined {
  if (person.isBot) return 'bot'
  if (person.inactive) return person.inactive
  if (change?.action === 'inactive') return 'deactivated'
  return isAddress(email) ? undefined : 'no_email'
}

/** Returns whether a text has the form of an address. The import checks it again. */
const isAddress = (email: string): boolean =>
  email.length <= 254 && /^[^\s@<>"(),:;[\]\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email)

function indexChanges(changes: readonly PersonChange[]): ReadonlyMap<string, PersonChange> {
  const index = new Map<string, PersonChange>()
  for (const change of changes) {
    const key = change.person.includes('@') ? change.person.toLowerCase() : change.person
    if (index.has(key))
      throw new ImportRefusal(`The list of people has ${change.person} twice. Remove one of the rows.`)
    index.set(key, change)
  }
  index.delete('')
  return index
}

function noteRename(tally: Tally, kind: 'person' | 'stream' | 'emoji', from: string, to: string): void {
  if (from.trim() !== to) tally.rename(kind, from, to)
}

/** Gives out names of which no two are equal when they are folded. */
class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #max: number
  readonly #fold: (name: string) => string
  readonly #suffix: (number: number) => string

  constructor(max: number, fold: (name: string) => string, suffix: (number: number) => string) {
    this.#max = max
    this.#fold = fold
    this.#suffix = suffix
  }

  take(name: string, team?: string): string {
    const candidates = [name, ...(team ? [addSuffix(name, ` (${team.slice(0, 30)})`, this.#max)] : [])]
    for (const candidate of candidates) if (this.#claim(candidate)) return candidate
    for (let number = 2; ; number++) {
      const candidate = addSuffix(name, this.#suffix(number), this.#max)
      if (this.#claim(candidate)) return candidate
    }
  }

  /** Returns the name that an archived stream has, and frees the name that it had. */
  takeArchived(name: string): string {
    this.#taken.delete(this.#fold(name))
    return listArchivedNames(name).find((candidate) => this.#claim(candidate)) as string
  }

  #claim(name: string): boolean {
    const folded = this.#fold(name)
    if (this.#taken.has(folded)) return false
    this.#taken.add(folded)
    return true
  }
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}
