import type { CompiledLinkifier } from './linkifiers/compile.ts'

export type Person = { id: number; fullName: string }
export type Group = { id: number; name: string }
export type Stream = { id: number; name: string }
export type CustomEmoji = { name: string; sourceUrl: string }

/**
 * Finds the people, groups, streams and emoji that a text refers to. Results must be active: the
 * renderer does not check it.
 */
export type Lookup = {
  /** Names match ignoring case. With an id, both must belong to the same person. */
  findPerson(name: string, id?: number): Person | undefined
  findGroup(exactName: string): Group | undefined
  findStream(exactName: string): Stream | undefined
  findCustomEmoji(name: string): CustomEmoji | undefined
}

export type PageEmbed = { title: string; description: string; image: string }

export type ImageSource = { src: string; fullsize?: string }

/** A picture that was uploaded to this server. */
export type UploadedPicture = {
  /** The path behind `/user_uploads/`, decoded. */
  path: string
  /** Pixels, as the picture is shown. */
  width: number
  height: number
  contentType: string
  isAnimated?: boolean
}

export type PreviewSettings = {
  images: boolean
  /** Uploaded pictures whose sizes are known, by path. */
  uploads?: ReadonlyMap<string, UploadedPicture>
  /** Pages that are known, by link target. Without this, links to pages are not collected. */
  pages?: ReadonlyMap<string, PageEmbed>
  /** The URLs to use instead, if a thumbnailer is configured. */
  imageSource?: (url: string) => ImageSource
}

export type RenderContext = {
  lookup?: Lookup
  linkifiers?: readonly CompiledLinkifier[]
  /** This server's own origin, such as `https://chat.example`; links to it become relative. */
  origin?: string
  previews?: PreviewSettings
  translateEmoticons?: boolean
  defaultCodeLanguage?: string | null
  /** Alert words in lower case, of all possible receivers. */
  alertWords?: ReadonlySet<string>
  /** The current time, which completes written times. */
  now?: Date
}

export const emptyLookup: Lookup = {
  findPerson: () => undefined,
  findGroup: () => undefined,
  findStream: () => undefined,
  findCustomEmoji: () => undefined,
}

export type LookupData = {
  people?: Iterable<Person>
  groups?: Iterable<Group>
  streams?: Iterable<Stream>
  customEmoji?: Iterable<CustomEmoji>
}

export function createLookup(data: LookupData): Lookup {
  const peopleById = new Map<number, Person>()
  const peopleByName = new Map<string, Person>()
  for (const person of data.people ?? []) {
    peopleById.set(person.id, person)
    const name = person.fullName.toLowerCase()
    if (!peopleByName.has(name)) peopleByName.set(name, person)
  }
  const groups = byName(data.groups)
  const streams = byName(data.streams)
  const customEmoji = byName(data.customEmoji)
  return {
    findPerson(name, id) {
      if (id === undefined) return peopleByName.get(name.toLowerCase())
      const person = peopleById.get(id)
      return person?.fullName.toLowerCase() === name.toLowerCase() ? person : undefined
    },
    findGroup: (name) => groups.get(name),
    findStream: (name) => streams.get(name),
    findCustomEmoji: (name) => customEmoji.get(name),
  }
}

function byName<T extends { name: string }>(items: Iterable<T> = []): Map<string, T> {
  return new Map(Array.from(items, (item) => [item.name, item]))
}
