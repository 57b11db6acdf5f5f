import type { ArchiveFile } from '../archive/archive.ts'
import type { FileReason, InactiveReason, TextLoss } from '../report/reasons.ts'
import type { Tally } from '../report/tally.ts'

/**
 * The neutral model: what every adapter makes of its source. An adapter knows the source and nothing of
 * Oxbow; the pipeline knows Oxbow and nothing of the source.
 */

/** A time in microseconds since 1970. */
export type Micros = number

export interface SourceFile {
  /** Identifies the file in the source. */
  id: string
  name: string
  /** The person who uploaded it; the author of the message if this is absent. */
  uploader?: string
  /** Size that the source claims. */
  size?: number
  type?: string
  /** Why the source itself says that the file is gone. */
  missing?: FileReason
  /** A file of the archive with the content. */
  path?: string
  /** Address of the content, for the download. */
  url?: string
}

export interface SourcePerson {
  id: string
  /** Further ids under which messages name this account. */
  otherIds?: readonly string[]
  /** Possible names, the best first. Empty ones are skipped. */
  names: readonly string[]
  email: string
  role: 'owner' | 'administrator' | 'member' | 'guest'
  /** Why nobody can sign in to the account; absent for people who can. */
  inactive?: InactiveReason
  isBot?: boolean
  timezone?: string
  title?: string
  phone?: string
  pronouns?: string
  picture?: SourceFile
}

export interface SourcePlace {
  id: string
  kind: 'public' | 'private' | 'conversation'
  name: string
  /** Distinguishes places of one name, such as the workspace. */
  team?: string
  description: string
  members: readonly string[]
  isArchived?: boolean
  isDefault?: boolean
  createdAt?: Micros | undefined
  archivedAt?: Micros | undefined
  /** Ids of the messages and files that are pinned. */
  pins?: readonly string[]
}

export interface SourceEmoji {
  name: string
  /** The name of another emoji with the same picture. */
  aliasOf?: string
  picture?: SourceFile
}

export interface SourceReaction {
  emoji: string
  people: readonly string[]
  /** How many people the source counts, if it names fewer. */
  count?: number
}

export interface SourceMessage {
  place: string
  /** Unique in its place. */
  id: string
  at: Micros
  author: string
  /** The author's name in the message itself, for authors that no list has. */
  authorName?: string
  /** `deleted`: only the place of a deleted message is left, which still is the head of a thread. */
  kind: 'message' | 'notice' | 'deleted'
  /** The topic that the source gives. Otherwise the pipeline chooses one. */
  topic?: string
  /** Id of the first message of its thread. */
  thread?: string | undefined
  /** Whether a reply was also shown among the messages outside of the thread. */
  isBroadcast?: boolean
  editedAt?: Micros | undefined
  /** The adapter's source of the text, for `writeText`. */
  body: unknown
  reactions?: readonly SourceReaction[]
  files?: readonly SourceFile[]
  /** Links in the text to other messages, as `place` and `id`. */
  links?: readonly MessageRef[]
}

export interface MessageRef {
  place: string
  id: string
}

/** Writes the parts of a text that refer to people, places and messages, as Markdown. */
export interface TextWriter {
  /** A mention of a person; the plain name for unknown people. */
  mention(person: string, fallbackName?: string): string
  mentionAll(word: string): string
  mentionGroup(id: string, fallbackName?: string): string
  /** A link to a stream; plain text for unknown ones. */
  placeLink(place: string, fallbackName?: string): string
  /** The address of a message of this import; undefined if it is not imported, or comes later. */
  messageUrl(ref: MessageRef): string | undefined
  /** An emoji by the name that the source uses, between colons. */
  emoji(name: string): string
  /** Counts something that the text loses. */
  lose(what: TextLoss): void
}

/** One source. Methods that read an archive may be called several times and yield the same each time. */
export interface Adapter {
  /** The name of the system as people know it, such as `Slack`. */
  system: string
  /** Distinguishes versions of the adapter in work folders that an older release began. */
  version: number
  readPeople(): AsyncIterable<SourcePerson>
  readPlaces(): AsyncIterable<SourcePlace>
  readEmoji(): AsyncIterable<SourceEmoji>
  readMessages(tally: Tally): AsyncIterable<SourceMessage>
  writeText(body: unknown, writer: TextWriter): string
  /** Finds a file that is in the archive. */
  findFile(path: string): ArchiveFile | undefined
  /** Code point of an emoji that the source knows by another name than Oxbow. */
  findEmojiCode(name: string): string | undefined
}
