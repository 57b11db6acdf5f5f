import type { CompiledLinkifier } from './linkifiers/compile.ts'

export type Person = { id: number; fullName: string }
export type Group = { id: number; name: string }
export type Stream = { id: number; name: string }
export type CustomEmoji = { name: string; sourceUrl: string }

/**
 * Finds the people, groups, streams and emoji that a text refers to. It must return active ones
 * only, because the renderer does not check this.
 */
export type Lookup = {
  /** Finds a person by name, ignoring case. With an id, name and id must belong to the same person. */
  findPerson(name: string, id?: number): Person | undefined
  findGroup(exactName: string): Group | undefined
  findStream(exactName: string): Stream | undefined
  findCustomEmoji(name: string): CustomEmoji | undefined
}

export type PageEmbed = { title: string; description: string; image: string }

export type ImageSource = { src: string; fullsize?: string }

/** A picture that was uploaded to this server. */
export type UploadedPicture = {
  /** The decoded path after `/user_uploads/`. */
  path: string
  /** Width in pixels, as the picture is shown. */
  width: number
  height: number
  contentType: string
  isAnimated?: boolean
}

export type PreviewSettings = {
  images: boolean
  /** Uploaded pictures with known sizes, by path. */
  uploads?: ReadonlyMap<string, UploadedPicture>
  /** Known pages, by link target. If this is absent, links to pages are not collected. */
  pages?: ReadonlyMap<string, PageEmbed>
  /** Returns the URLs to use instead of a picture's own, if a thumbnailer is configured. */
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
  /** The alert words of all possible receivers, in lower case. */
  alertWords?: ReadonlySet<string>
  /** The limit of the HTML, for texts that should be shorter than messages. */
  maxHtmlCharacters?: number
  /** The current time, from which incomplete times in the text take the missing parts. */
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
