import { join } from 'node:path'
import { decodeUploadPath, type Rendered } from '@oxbow/markdown'
import { encodeHashComponent, streamHref, topicHref } from '@oxbow/markdown/hash'
import { writeMention, writeTopicLink } from '@oxbow/markdown/write-markdown'
import type { Adapter, SourceFile, SourceMessage } from '../model/source.ts'
import { fileReasons } from '../report/reasons.ts'
import type { Tally } from '../report/tally.ts'
import { escapeInline, escapeText, writeLabel, writeLink } from '../text/escape.ts'
import { writeTime } from '../text/moments.ts'
import { cut } from '../text/names.ts'
import { findEmoji } from './emoji.ts'
import { type FileSource, type FoundFile, uploadPath } from './files.ts'
import type { MergeSort } from './merge-sort.ts'
import { type ImportOptions, latestTime } from './options.ts'
import { type Render, TeamWriter } from './render.ts'
import { refKey, type Scan } from './scan.ts'
import type { ExportFields, ImportSink } from './sink.ts'
import { Spool } from './spool.ts'
import type { Team, TeamPlace } from './team.ts'
import type { Placed, PlacedMessage, PlacedNotice } from './threads.ts'

export interface MessagesContext {
  adapter: Adapter
  team: Team
  scan: Scan
  options: ImportOptions
  sink: ImportSink
  render: Render
  files: FileSource
  tally: Tally
  /** Folder for records of later types. */
  folder: string
  /** Makes the paths of files impossible to guess. */
  secret: Buffer
  onProgress: (done: number) => void
}

/** A file that messages refer to, written after the messages. */
interface Upload {
  id: number
  owner: number
  path_id: string
  name: string
  type: string
  at: number
  file: SourceFile | undefined
  /** The content, if the import itself wrote the file. */
  text?: string
}

const maxContentCharacters = 200_000
/** Number of characters that stay in a message whose text moved to a file. */
const maxStart = 9_000
const maxUploads = 5_000_000
const maxFileName = 255

/**
 * Writes the messages in the order of their times, and then their reactions, what is read, and their files.
 * Ids are 1, 2, 3 … in that order.
 */
export async function writeMessages(placed: MergeSort<Placed>, context: MessagesContext): Promise<void> {
  const writer = new MessageWriter(context)
  for await (const { record } of placed.read()) await writer.write(record)
  await writer.finish()
}

class MessageWriter {
  readonly #context: MessagesContext
  readonly #writer: TeamWriter
  readonly #linked: ReadonlySet<string>
  /** Addresses of messages to which later texts link, and of first messages of short threads. */
  readonly #urls = new Map<string, string>()
  readonly #uploadIds = new Map<string, { id: number; path: string }>()
  readonly #missingFiles = new Map<string, string>()
  readonly #reactions: Spool<ExportFields>
  readonly #userMessages: Spool<ExportFields>
  readonly #claims: Spool<ExportFields>
  readonly #uploads: Spool<Upload>
  readonly #bot: number
  #id = 0

  constructor(context: MessagesContext) {
    this.#context = context
    const { adapter, team, tally, scan, folder, sink } = context
    this.#writer = new TeamWriter(adapter, team, tally, (ref) => this.#urls.get(refKey(ref)))
    this.#linked = new Set(scan.linked)
    this.#reactions = new Spool(join(folder, 'reactions'))
    this.#userMessages = new Spool(join(folder, 'user-messages'))
    this.#claims = new Spool(join(folder, 'claims'))
    this.#uploads = new Spool(join(folder, 'uploads'))
    this.#bot = sink.systemAccounts[0]?.id ?? 0
  }

  async write(placed: Placed): Promise<void> {
    this.#id++
    this.#context.onProgress(this.#id)
    if ('notice' in placed) await this.#writeNotice(placed.notice)
    else await this.#writeMessage(placed.message)
  }

  async finish(): Promise<void> {
    const { sink } = this.#context
    for await (const fields of this.#reactions.read()) await sink.record('reaction', fields)
    for await (const fields of this.#userMessages.read()) await sink.record('user_message', fields)
    const lost = await this.#writeUploads()
    for await (const fields of this.#claims.read())
      if (!lost.has(fields.upload_id as number)) await sink.record('upload_claim', fields)
  }

  async #writeMessage({
    message,
    topic,
    replyTo,
    hasShortReplies,
    isLastReply,
  }: PlacedMessage): Promise<void> {
    const { tally } = this.#context
    const place = this.#placeOf(message.place)
    const links = await this.#fileLinks(message)
    const own = message.kind === 'deleted' ? '(deleted message)' : this.#textOf(message)
    if (own === '' && links.lines.length === 0 && !hasShortReplies) {
      tally.skip(message.place, 'empty', { id: message.id })
      // The id stays unused. Gaps are allowed, and the ids of later messages are decided already.
      return
    }
    const body = own === '' && links.lines.length === 0 ? '(no text)' : own
    const start = replyTo ? [this.#replyLine(replyTo)] : []
    const content = [...start, body, ...links.lines].filter(Boolean).join('\n')
    const fitted = await this.#fit(content, message)
    const isByBot = message.kind !== 'message' || !this.#context.team.person(message.author)
    const sender = isByBot ? this.#bot : (this.#context.team.person(message.author)?.id as number)
    await this.#writeRecord(place, topic, sender, message, fitted)
    for (const upload_id of new Set([...links.uploads, ...fitted.uploads]))
      await this.#claims.add({ upload_id, message_id: this.#id })
    await this.#writeReactions(message)
    tally.place(message.place).imported++
    const key = refKey(message)
    if (hasShortReplies || this.#linked.has(key)) this.#urls.set(key, this.#urlOf(place, topic))
    if (isLastReply && replyTo?.ref && !this.#linked.has(refKey(replyTo.ref)))
      this.#urls.delete(refKey(replyTo.ref))
  }

  async #writeNotice(notice: PlacedNotice): Promise<void> {
    const place = this.#placeOf(notice.place)
    const content = this.#noticeText(notice, place)
    const rendered = this.#context.render(content)
    await this.#writeRecord(place, notice.topic, this.#bot, { at: notice.at }, { content, rendered })
    this.#context.tally.place(notice.place).added++
  }

  #noticeText({ about, author, words, threadTopic, replies }: PlacedNotice, place: TeamPlace): string {
    if (about === 'missing_first') return 'The first message of this thread is not in the archive.'
    const person = this.#context.team.person(author)
    const who = person ? writeMention({ id: person.id, fullName: person.name }, { silent: true }) : 'Someone'
    const name = place.archivedName ?? place.name
    const topic =
      place.archivedName === undefined
        ? writeTopicLink({ id: place.id, name }, threadTopic)
        : writeLink(`#${place.name} > ${threadTopic}`, topicHref({ id: place.id, name }, threadTopic))
    const did = about === 'thread' ? `${who} began a thread with ${replies} replies` : `${who} replied`
    return `${did} in ${topic}:\n> ${escapeText(words)}`
  }

  #textOf(message: SourceMessage): string {
    const text = this.#context.adapter.writeText(message.body, this.#writer)
    return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').trimEnd().toWellFormed()
  }

  #replyLine({ ref, author, words }: NonNullable<PlacedMessage['replyTo']>): string {
    const url = ref && this.#urls.get(refKey(ref))
    if (!url) return '↪ (the message that this answers is not in the archive)'
    const name = this.#context.team.person(author)?.name ?? 'someone'
    return `↪ ${writeLink(`${name}: ${words}`, url)}`
  }

  #placeOf(sourceId: string): TeamPlace {
    const place = this.#context.team.place(sourceId)
    if (!place) throw new Error(`the place ${sourceId} is unknown`)
    return place
  }

  /** The link to the message that is being written. An import maps the ids in it. */
  #urlOf({ id, kind, name, archivedName, members }: TeamPlace, topic: string): string {
    if (kind === 'conversation')
      return `/#narrow/pm-with/${members.map((member) => member.id).join()}-pm/near/${this.#id}`
    const stream = { id, name: archivedName ?? name }
    return `${streamHref(stream)}/topic/${encodeHashComponent(topic)}/near/${this.#id}`
  }

  /** Returns one line for each file, and the ids of the uploads. */
  async #fileLinks(message: SourceMessage): Promise<{ lines: string[]; uploads: number[] }> {
    const lines: string[] = []
    const uploads: number[] = []
    for (const file of message.files ?? []) {
      const upload = await this.#uploadOf(file, message)
      if (typeof upload === 'string') lines.push(upload)
      else {
        lines.push(`[${writeLabel(file.name || 'file')}](/user_uploads/${upload.path})`)
        uploads.push(upload.id)
      }
    }
    return { lines, uploads }
  }

  /** Returns the upload of a file, which several messages may share, or the line that stands in its place. */
  async #uploadOf(file: SourceFile, message: SourceMessage): Promise<{ id: number; path: string } | string> {
    const known = this.#uploadIds.get(file.id) ?? this.#missingFiles.get(file.id)
    if (known !== undefined) return known
    const { files, tally } = this.#context
    tally.state.files.found++
    const found = this.#uploadIds.size < maxUploads ? files.find(file) : 'too_large'
    if (typeof found === 'string') {
      tally.fileMissing(found)
      const line = `*${escapeInline(file.name || 'file')}* (${fileReasons[found].split('.')[0]})`
      this.#missingFiles.set(file.id, line)
      return line
    }
    const person = this.#context.team.person(file.uploader ?? message.author)
    const owner = person?.id ?? this.#bot
    return this.#addUpload(file.id, {
      name: file.name || 'file',
      type: file.type ?? '',
      at: message.at,
      owner,
      file,
    })
  }

  async #addUpload(
    key: string,
    upload: Pick<Upload, 'name' | 'type' | 'at' | 'owner' | 'file'> & { text?: string },
  ): Promise<{ id: number; path: string }> {
    const { sink, secret } = this.#context
    const path = uploadPath(secret, key, sink.nameInPath(upload.name))
    const id = this.#uploadIds.size + 1
    this.#uploadIds.set(key, { id, path })
    await this.#uploads.add({ ...upload, id, path_id: path })
    return { id, path }
  }

  /** Renders a text. One that is too long moves to a file, and its start stays. */
  async #fit(content: string, message: SourceMessage): Promise<Fitted> {
    const { render, tally } = this.#context
    const rendered = content.length <= maxContentCharacters ? render(content) : undefined
    if (rendered) return { content, rendered, uploads: [] }
    tally.lose('text_moved_to_file', { place: message.place, id: message.id })
    const owner = this.#context.team.person(message.author)?.id ?? this.#bot
    const name = `message-${this.#id}.md`
    const upload = await this.#addUpload(`text of ${refKey(message)}`, {
      ...{ name, type: 'text/markdown', at: message.at, owner, file: undefined, text: content },
    })
    tally.state.files.found++
    const link = `[${name}](/user_uploads/${upload.path})`
    for (const start of [`${content.slice(0, maxStart).toWellFormed()}…\n\n`, '']) {
      const short = render(start + link)
      if (short) return { content: start + link, rendered: short, uploads: [upload.id] }
    }
    throw new Error('a link cannot be rendered')
  }

  async #writeRecord(
    place: TeamPlace,
    topic: string,
    sender_id: number,
    { at, editedAt }: Pick<SourceMessage, 'at' | 'editedAt'>,
    { content, rendered }: Pick<Fitted, 'content' | 'rendered'>,
  ): Promise<void> {
    if (!rendered) throw new Error('a notice cannot be rendered')
    const { sink, options, adapter } = this.#context
    const is_private = place.kind === 'conversation'
    const isEdited = editedAt !== undefined && editedAt >= at && editedAt <= latestTime(options)
    await sink.record('message', {
      id: this.#id,
      sender_id,
      recipient_id: place.id,
      sent_recipient_id: place.id,
      arrived_id: this.#id,
      changed_id: null,
      outbox_id: this.#id,
      sent_at: writeTime(at),
      edited_at: isEdited ? writeTime(editedAt) : null,
      is_private,
      mentions_wildcard: rendered.mentionsWildcard,
      has_link: rendered.links.length > 0,
      has_image: rendered.hasImage,
      has_attachment: rendered.uploads.some((path) => decodeUploadPath(path) !== ''),
      client: adapter.system,
      topic: is_private ? '' : topic,
      content,
      rendered_content: rendered.html,
    })
    await this.#writeFlags(place, rendered.mentionedUserIds)
  }

  /** Members of a conversation have a row for each message; readers of streams only if they are mentioned. */
  async #writeFlags({ kind, members }: TeamPlace, mentionedIds: readonly number[]): Promise<void> {
    const mentioned = new Set(mentionedIds)
    const is_private = kind === 'conversation'
    for (const { id, isBot } of members)
      if (is_private || (mentioned.has(id) && !isBot))
        await this.#userMessages.add({
          ...{ user_id: id, message_id: this.#id, is_private, is_unread: false, is_starred: false },
          ...{
            is_collapsed: false,
            is_mentioned: mentioned.has(id),
            has_alert_word: false,
            is_historical: false,
          },
        })
  }

  async #writeReactions({ place, id, reactions = [] }: SourceMessage): Promise<void> {
    const { adapter, team, tally } = this.#context
    const written = new Set<string>()
    for (const { emoji, people, count = people.length } of reactions) {
      const { reactions: counts } = tally.state
      const claimed = Math.max(people.length, Number.isSafeInteger(count) ? count : 0)
      counts.found += claimed
      const found = findEmoji(adapter, team, emoji)
      if (!found) {
        tally.lose('unknown_emoji', { place, id, name: emoji }, claimed)
        continue
      }
      if (claimed > people.length) tally.lose('unnamed_reactor', { place, id }, claimed - people.length)
      for (const reactor of people) {
        const user_id = team.person(reactor)?.id
        const key = `${user_id} ${found.type} ${found.code}`
        if (user_id === undefined) tally.lose('unknown_reactor', { place, id })
        if (user_id === undefined || written.has(key)) continue
        written.add(key)
        counts.imported++
        await this.#reactions.add({
          ...{ message_id: this.#id, user_id, reaction_type: found.type },
          ...{ emoji_code: found.code, emoji_name: found.name },
        })
      }
    }
  }

  /** Copies the files and writes their records. Returns the ids of those that could not be read. */
  async #writeUploads(): Promise<ReadonlySet<number>> {
    const { sink, tally } = this.#context
    const lost = new Set<number>()
    for await (const upload of this.#uploads.read()) {
      const content = await this.#contentOf(upload)
      const copied =
        content &&
        (await sink.upload(upload.id, {
          name: upload.name,
          declaredType: upload.type,
          content: content.open(),
        }))
      if (!copied) {
        lost.add(upload.id)
        tally.fileMissing('not_in_archive')
        continue
      }
      tally.fileImported(upload.name, content.size)
      await sink.record('upload', {
        id: upload.id,
        owner_id: upload.owner,
        path_id: upload.path_id,
        file_name: cut(upload.name, maxFileName),
        ...copied,
        created_at: writeTime(upload.at),
        unclaimed_since: null,
        is_hidden_from_owner: false,
      })
    }
    return lost
  }

  async #contentOf({ file, text }: Upload): Promise<FoundFile | undefined> {
    if (text !== undefined) {
      const bytes = Buffer.from(text)
      return { size: bytes.length, open: () => once(bytes) }
    }
    const found = file && this.#context.files.find(file)
    return typeof found === 'object' ? found : undefined
  }
}

interface Fitted {
  content: string
  rendered: Rendered | undefined
  uploads: number[]
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
