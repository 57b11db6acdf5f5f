import type { Archive, ArchiveFile } from '../archive/archive.ts'
import { readJson, readJsonList } from '../archive/read-json.ts'
import type {
  Adapter,
  SourceEmoji,
  SourceMessage,
  SourcePerson,
  SourcePlace,
  TextWriter,
} from '../model/source.ts'
import { collect } from '../pipeline/team.ts'
import { ImportRefusal } from '../refusal.ts'
import type { Tally } from '../report/tally.ts'
import { storable, textOf } from '../values.ts'
import { findSlackEmoji } from './emoji-codes.ts'
import { messageToMarkdown, type SlackBody } from './message-text.ts'
import { readMessage } from './messages.ts'
import { readPerson } from './people.ts'
import { type PlaceList, placeLists, readPlace } from './places.ts'

export interface SlackOptions {
  /** Whether private conversations come from an archive that one person made of what that person sees. */
  takesOwnView: boolean
}

/** A place with the folder in which its messages are. */
interface ListedPlace {
  place: SourcePlace
  folder: string
}

const dayFile = /^(.+)\/(\d{4}-\d\d-\d\d)\.json$/
const uploadedFile = /(?:^|\/)__uploads\/([A-Z0-9]{3,30})\/[^/]+$|\/attachments\/([A-Z0-9]{3,30})-[^/]+$/
const workspace = /^(teams\/[^/]+\/)/
/** Folders that are in an export, but are no places. */
const noPlace = /(?:^|\/)(?:FC:[^/]*|__uploads|__avatars|attachments|emojis)(?:\/|$)/

/** Reads exports of Slack: of a workspace, of an Enterprise organization, and those that slackdump makes. */
export class SlackAdapter implements Adapter {
  readonly system = 'Slack'
  readonly version = 1
  readonly #archive: Archive
  readonly #options: SlackOptions
  readonly #uploads = new Map<string, string>()
  #listed: Promise<ListedPlace[]> | undefined

  constructor(archive: Archive, options: SlackOptions) {
    this.#archive = archive
    this.#options = options
    if (!archive.files.has('users.json') && !archive.files.has('org_users.json'))
      throw new ImportRefusal(
        'The archive has no users.json, so it is no export of a workspace. The export of a single user cannot be read; ask an owner for an export of the workspace.',
      )
    for (const name of archive.files.keys()) {
      const [, own, attached] = uploadedFile.exec(name) ?? []
      const id = own ?? attached
      if (id !== undefined) this.#uploads.set(id, name)
    }
  }

  async *readPeople(): AsyncGenerator<SourcePerson> {
    const users: unknown[] = []
    for (const name of this.#archive.files.keys())
      if (/^(?:teams\/[^/]+\/)?(?:org_)?users\.json$/.test(name))
        users.push(...(await collect(this.#list(name))))
    const team = mostFrequent(users.map((user) => textOf(user, 'team_id')))
    const known = new Set<string>()
    for (const user of users) {
      const person = readPerson(user, team)
      if (!person) continue
      // Workspaces of one organization list the same people.
      if (known.has(person.id) && this.#archive.files.has('org_users.json')) continue
      known.add(person.id)
      yield person
    }
  }

  async *readPlaces(): AsyncGenerator<SourcePlace> {
    for (const { place } of await this.#places()) yield place
  }

  async *readEmoji(): AsyncGenerator<SourceEmoji> {
    const index = this.#archive.files.get('emojis/index.json')
    const listed = index ? await readJson(index) : undefined
    if (typeof listed !== 'object' || listed === null) return
    for (const [name, target] of Object.entries(listed)) {
      if (typeof target !== 'string') continue
      const alias = /^alias:(.+)$/.exec(target)?.[1]
      const path = `emojis/${name}.png`
      yield alias === undefined
        ? { name, picture: { id: `emoji ${name}`, name: `${name}.png`, path } }
        : { name, aliasOf: storable(alias) }
    }
  }

  async *readMessages(tally: Tally): AsyncGenerator<SourceMessage> {
    for (const name of this.#archive.ignored) tally.lose('unsafe_name', { name })
    await this.#countLosses(tally)
    const byFolder = new Map<string, SourcePlace>()
    for (const { place, folder } of await this.#places())
      if (!byFolder.has(folder)) byFolder.set(folder, place)
    for (const name of [...this.#archive.files.keys()].sort()) {
      const folder = dayFile.exec(name)?.[1]
      if (folder === undefined || noPlace.test(folder)) continue
      const place = byFolder.get(folder)?.id ?? unlistedId(folder)
      for await (const entry of this.#list(name, tally)) {
        const message = readMessage(entry, place, (id) => this.#uploads.get(id), tally)
        if (message) yield message
      }
    }
  }

  /** Counts what the archive has besides messages, and does not come. */
  async #countLosses(tally: Tally): Promise<void> {
    for (const { place } of await this.#places()) {
      if (place.id === unlistedId(place.name)) tally.lose('unlisted_folder', { name: place.name })
      for (const id of place.pins ?? []) tally.lose('pin', { place: place.id, id })
    }
    const hidden = new Set<string>()
    for (const name of this.#archive.files.keys()) {
      const folder = dayFile.exec(name)?.[1] ?? ''
      if (/(?:^|\/)(?:FC:|canvases\.json$)/.test(name)) tally.lose('canvas', { name })
      if (this.#isHiddenConversation(folder)) hidden.add(folder)
    }
    for (const name of hidden) tally.lose('own_view', { name })
  }

  writeText = (body: unknown, writer: TextWriter): string => messageToMarkdown(body as SlackBody, writer)

  findFile = (path: string): ArchiveFile | undefined => this.#archive.files.get(path)

  findEmojiCode = findSlackEmoji

  async *#list(name: string, tally?: Tally): AsyncGenerator<unknown> {
    const file = this.#archive.files.get(name)
    if (file) yield* readJsonList(file, (problem) => tally?.lose(problem, { name }))
  }

  #places(): Promise<ListedPlace[]> {
    this.#listed ??= this.#findPlaces()
    return this.#listed
  }

  async #findPlaces(): Promise<ListedPlace[]> {
    const folders = new Set<string>()
    for (const name of this.#archive.files.keys()) {
      const folder = dayFile.exec(name)?.[1]
      if (folder !== undefined && !noPlace.test(folder)) folders.add(folder)
    }
    const found = new Map<string, ListedPlace>()
    for (const [name] of this.#archive.files) {
      const [, root = '', list] = /^(teams\/[^/]+\/)?(channels|groups|mpims|dms)\.json$/.exec(name) ?? []
      if (list === undefined || (this.#isOwnView && placeLists[list as PlaceList] === 'conversation'))
        continue
      for (const entry of await collect(this.#list(name))) {
        const place = readPlace(entry, list as PlaceList, root.split('/')[1] ?? '')
        if (!place) continue
        const named = [textOf(entry, 'name'), place.id].map((each) => `${root}${each}`)
        const folder = named.find((each) => folders.has(each)) ?? named[0] ?? place.id
        const known = found.get(place.id)
        // A place that one list calls private is private.
        if (!known || (known.place.kind === 'public' && place.kind !== 'public'))
          found.set(place.id, { place, folder })
      }
    }
    const listed = [...found.values()]
    const claimed = new Set(listed.map(({ folder }) => folder))
    for (const folder of folders)
      if (!claimed.has(folder) && !this.#isHiddenConversation(folder)) listed.push(unlisted(folder))
    return listed
  }

  /** Official exports have a log of integrations; slackdump's have not, and show what one person sees. */
  get #isOwnView(): boolean {
    const { files } = this.#archive
    return !this.#options.takesOwnView && this.#uploads.size > 0 && !files.has('integration_logs.json')
  }

  #isHiddenConversation = (folder: string): boolean =>
    this.#isOwnView && /(?:^|\/)(?:D[A-Z0-9]{5,}|mpdm-[^/]*)$/.test(folder)
}

const unlistedId = (folder: string): string => `folder ${folder}`

/** A folder that belongs to no listed channel: nobody knows who could read it, so it is private. */
const unlisted = (folder: string): ListedPlace => ({
  folder,
  place: {
    id: unlistedId(folder),
    kind: 'private',
    name: folder.replace(workspace, ''),
    description: '',
    members: [],
  },
})

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}
