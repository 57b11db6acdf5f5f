import { hash } from 'node:crypto'
import type { Archive, ArchiveFile } from '../archive/archive.ts'
import { needFile } from '../archive/read-json.ts'
import type {
  Adapter,
  SourceEmoji,
  SourceFile,
  SourceMessage,
  SourcePerson,
  SourcePlace,
  SourceReaction,
  TextWriter,
} from '../model/source.ts'
import { ImportRefusal } from '../refusal.ts'
import type { Tally } from '../report/tally.ts'
import { escapeText } from '../text/escape.ts'
import { field } from '../values.ts'
import { type Row, readRows } from './read-rows.ts'
import { readTime } from './read-time.ts'

export interface CsvOptions {
  /** Encoding of files without a byte order mark. */
  encoding: string
  /** Time zone of times without an offset. */
  timeZone: string
  /** Whether the texts are Markdown. Otherwise they are shown as they are. */
  isMarkdown: boolean
}

const tables = ['people.csv', 'places.csv', 'messages.csv'] as const
const advice =
  'An archive of tables has people.csv, places.csv and messages.csv; docs/operating/moving-in.md describes them.'

/** Reads tables of people, places and messages, which any system can write. */
export class CsvAdapter implements Adapter {
  readonly system = 'CSV'
  readonly version = 1
  readonly #archive: Archive
  readonly #options: CsvOptions
  /** Ids of people by their addresses and names, which the tables may use in place of ids. */
  #people: Promise<ReadonlyMap<string, string>> | undefined

  constructor(archive: Archive, options: CsvOptions) {
    for (const table of tables) needFile(archive.files, table, advice)
    this.#archive = archive
    this.#options = options
  }

  async *readPeople(): AsyncGenerator<SourcePerson> {
    for await (const row of this.#rows('people.csv')) {
      const { name = '', email = '', role = '', picture = '', phone = '', title = '' } = row
      const id = idOf(row)
      if (id === '') continue
      yield {
        id,
        otherIds: [email.toLowerCase()].filter((each) => each !== '' && each !== id),
        names: [name, email.split('@')[0] ?? ''],
        email,
        role: readRole(role),
        title,
        phone,
        ...(isNo(row.active) && { inactive: 'deactivated' as const }),
        ...(role.toLowerCase() === 'bot' && { isBot: true }),
        ...(picture !== '' && { picture: fileAt(picture) }),
      }
    }
  }

  async *readPlaces(): AsyncGenerator<SourcePlace> {
    const people = await this.#findPeople()
    for await (const row of this.#rows('places.csv')) {
      const { name = '', kind = '', description = '', members = '' } = row
      const id = row.id || name
      if (id === '') continue
      yield {
        id,
        kind: readKind(kind),
        name,
        description,
        members: splitList(members).map((member) => toId(people, member)),
        isArchived: isYes(row.archived),
        isDefault: isYes(row.default),
      }
    }
  }

  async *readEmoji(): AsyncGenerator<SourceEmoji> {}

  async *readMessages(tally: Tally): AsyncGenerator<SourceMessage> {
    const people = await this.#findPeople()
    for await (const row of this.#rows('messages.csv', tally)) {
      const { place = '', time = '', author = '', text = '', topic = '', parent = '', files = '' } = row
      const editedAt = row.edited ? readTime(row.edited, this.#options.timeZone) : undefined
      yield {
        place,
        id: row.id || hash('sha256', JSON.stringify([place, time, author, text]), 'hex').slice(0, 24),
        at: readTime(time, this.#options.timeZone),
        author: toId(people, author) || 'unknown',
        authorName: author,
        kind: 'message',
        ...(topic !== '' && { topic }),
        ...(parent !== '' && { thread: parent }),
        ...(Number.isFinite(editedAt) && { editedAt }),
        body: { text },
        reactions: readReactions(row.reactions ?? '', people),
        files: splitList(files).map(fileAt),
      }
    }
  }

  writeText(body: unknown, _writer: TextWriter): string {
    const text = field(body, 'text')
    if (typeof text !== 'string') return ''
    return this.#options.isMarkdown ? text : escapeText(text)
  }

  findFile = (path: string): ArchiveFile | undefined => this.#archive.files.get(path)

  findEmojiCode = (): undefined => undefined

  #rows(name: (typeof tables)[number], tally?: Tally): AsyncIterable<Row> {
    return readRows(name, needFile(this.#archive.files, name, advice), this.#options.encoding, tally)
  }

  #findPeople(): Promise<ReadonlyMap<string, string>> {
    this.#people ??= this.#indexPeople()
    return this.#people
  }

  async #indexPeople(): Promise<ReadonlyMap<string, string>> {
    const index = new Map<string, string>()
    for await (const row of this.#rows('people.csv')) {
      const id = idOf(row)
      for (const key of [row.name, row.email, row.id]) if (key) index.set(key.trim().toLowerCase(), id)
    }
    return index
  }
}

const idOf = ({ id = '', email = '', name = '' }: Row): string => id || email.toLowerCase() || name
const toId = (people: ReadonlyMap<string, string>, text: string): string =>
  people.get(text.trim().toLowerCase()) ?? text.trim()
const splitList = (text: string): string[] =>
  text
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
const isYes = (text = ''): boolean => /^(?:1|yes|true|x)$/i.test(text.trim())
const isNo = (text = ''): boolean => /^(?:0|no|false)$/i.test(text.trim())

const fileAt = (path: string): SourceFile => ({ id: path, name: path.split('/').at(-1) ?? path, path })

function readRole(text: string): SourcePerson['role'] {
  switch (text.trim().toLowerCase()) {
    case 'owner':
      return 'owner'
    case 'admin':
    case 'administrator':
      return 'administrator'
    case 'guest':
      return 'guest'
    default:
      return 'member'
  }
}

/** A place is public only if the table says so. */
function readKind(text: string): SourcePlace['kind'] {
  switch (text.trim().toLowerCase()) {
    case 'public':
      return 'public'
    case 'dm':
    case 'conversation':
      return 'conversation'
    case 'private':
    case '':
      return 'private'
    default:
      throw new ImportRefusal(`places.csv has the kind "${text}". Write public, private or dm.`)
  }
}

/** Reads reactions such as `:rose:=iris@example.com;otto@example.com|:tada:=iris@example.com`. */
const readReactions = (text: string, people: ReadonlyMap<string, string>): SourceReaction[] =>
  text.split('|').flatMap((part) => {
    const [emoji = '', names = ''] = part.split('=')
    const name = emoji.trim().replace(/^:|:$/g, '')
    return name === '' ? [] : [{ emoji: name, people: splitList(names).map((each) => toId(people, each)) }]
  })
