import { createHash } from 'node:crypto'
import {
  FieldType,
  foldName,
  foldTopic,
  isSystemGroup,
  type OrganizationId,
  type StreamRights,
  type UserId,
  urlOfAnyLength,
} from '@oxbow/contract'
import { isRenderedHtml } from '@oxbow/markdown/check-html'
import { sealNewToken } from '../../../identity/accounts/service-seals.ts'
import { apiKeyColumns, makeApiKey } from '../../../identity/api-keys.ts'
import { listContentWords, listTopicWords } from '../../../messages/search/words.ts'
import { pictureKinds } from '../../../organization/pictures.ts'
import type { App } from '../../../platform/app.ts'
import { limitShortHtml } from '../../../platform/markdown/markdown.ts'
import { erasedAddress } from '../../erasure/erased-account.ts'
import { filesPrefix } from '../format/manifest.ts'
import type { RecordType } from '../format/record-type.ts'
import type { IdMaps } from './id-maps.ts'
import { mapHtml, mapMarkdown, type TextMapping } from './map-text.ts'
import type { ExportedRecord } from './read-records.ts'
import { recordRefusal } from './refuse.ts'

export interface ConversionContext {
  app: Pick<App, 'secrets'>
  organization_id: OrganizationId
  subdomain: string
  /** New name of the organization. By default, it keeps the name in the export. */
  name?: string | undefined
  url: string
  ids: IdMaps
  mapping: TextMapping
  /** Names of the pictures in the export. */
  pictures: ReadonlySet<string>
  /** Types of profile fields by their ids in the export; filled while profile fields are converted. */
  fieldTypes: Map<number, number>
}

export type Row = Record<string, unknown>

/** Sets the columns of a row that are not copied from the record's fields. */
type Adjust = (row: Row, record: ExportedRecord, context: ConversionContext) => void

/** Converts a record to the row of its table, with ids of this server. */
export function convertRecord(type: RecordType, record: ExportedRecord, context: ConversionContext): Row {
  const row: Row = type.name === 'organization' ? {} : { organization_id: context.organization_id }
  for (const [name, field] of Object.entries(type.fields)) {
    const value = record[name]
    row[name] = value
    if (value === null) continue
    if (field.role === 'id') row[name] = mapIds(context.ids, field.kind, value as number | number[])
    else if (field.role === 'markdown') row[name] = mapMarkdown(value as string, context.mapping)
    else if (field.role === 'html') {
      const mapped = mapCheckedHtml(value as string, context.mapping)
      if (mapped === undefined)
        throw recordRefusal(type.name, record, `HTML of ${name} changes when its ids are mapped`)
      row[name] = mapped
    }
  }
  if (Object.hasOwn(adjustments, type.name)) adjustments[type.name]?.(row, record, context)
  return row
}

/**
 * Maps HTML that was checked before, and checks the result, so that a mapping cannot turn text into markup.
 * Returns undefined if the result is not allowed.
 */
function mapCheckedHtml(html: string, mapping: TextMapping): string | undefined {
  const mapped = mapHtml(html, mapping)
  return mapped === html || isRenderedHtml(mapped) ? mapped : undefined
}

function mapIds(
  ids: IdMaps,
  kind: Parameters<IdMaps['get']>[0],
  value: number | number[],
): number | number[] {
  return Array.isArray(value) ? value.map((id) => ids.get(kind, id)) : ids.get(kind, value)
}

/** Maps the accounts and groups of rights. Those that are not in the export are left out. */
function mapRights(rights: StreamRights, ids: IdMaps): StreamRights {
  const map = (kind: 'user' | 'user_group', list: readonly number[]) =>
    list.flatMap((id) => (isSystemGroup(id) ? id : (ids.find(kind, id) ?? [])))
  return Object.fromEntries(
    Object.entries(rights).map(([right, { direct_members, direct_subgroups }]) => [
      right,
      {
        direct_members: map('user', direct_members),
        direct_subgroups: map('user_group', direct_subgroups),
      },
    ]),
  )
}

const adjustments: Readonly<Record<string, Adjust>> = {
  organization(row, _record, { organization_id, subdomain, name, pictures }) {
    row.id = organization_id
    row.subdomain = subdomain
    if (name !== undefined) row.name = name
    for (const kind of pictureKinds)
      if (!pictures.has(`${filesPrefix}organization/${kind}.png`))
        row[`${kind}_source`] = kind === 'icon' ? 'external' : 'default'
  },
  user(row, record, { app, organization_id, pictures }) {
    const id = row.id as UserId
    row.delivery_email =
      row.erased_at === null ? (row.email ?? `user${id}@imported.invalid`) : erasedAddress(id)
    delete row.email
    Object.assign(row, apiKeyColumns(app, { organization_id, id }, makeApiKey()))
    if (!pictures.has(`${filesPrefix}avatars/${record.id}-medium.png`)) row.avatar_source = 'external'
  },
  profile_field(_row, record, { fieldTypes }) {
    fieldTypes.set(record.id as number, record.type as number)
  },
  profile_value(row, record, { ids, fieldTypes }) {
    const [type, value] = [fieldTypes.get(record.field_id as number), record.value as string]
    // Earlier releases stored longer HTML.
    if (typeof row.rendered_value === 'string')
      row.rendered_value = limitShortHtml(row.rendered_value, record.value as string)
    // Clients make links of these values.
    if (type === FieldType.url && !urlOfAnyLength().safeParse(value).success)
      throw recordRefusal('profile_value', record, 'its value is not a URL')
    if (type !== FieldType.people) return
    const people = parseIds(value)
    if (!people) throw recordRefusal('profile_value', record, 'its value is not a list of ids')
    row.value = JSON.stringify(people.flatMap((id) => ids.find('user', id) ?? []))
  },
  custom_emoji(row, record) {
    row.file = `${row.id}.${(record.file as string).split('.')[1]}`
  },
  stream(row, record, { ids }) {
    row.rights = JSON.stringify(mapRights((record.rights ?? {}) as StreamRights, ids))
    row.folded_name = foldName(row.name as string)
    row.rendered_description = limitShortHtml(row.rendered_description as string, row.description as string)
  },
  stream_folder(row) {
    row.folded_name = foldName(row.name as string)
    row.rendered_description = limitShortHtml(row.rendered_description as string, row.description as string)
  },
  stream_section(row, record, { ids }) {
    row.stream_ids = (record.stream_ids as number[]).flatMap((id) => ids.find('recipient', id) ?? [])
  },
  conversation(row) {
    const members = (row.members as number[]).sort((a, b) => a - b)
    row.members_digest = createHash('sha256').update(members.join()).digest()
  },
  muted_topic(row) {
    row.folded_topic = foldTopic(row.topic as string)
  },
  topic_attention(row) {
    row.folded_topic = foldTopic(row.topic as string)
  },
  bot_service(row, record, { app, organization_id }) {
    const bot = { organization_id, user_id: row.user_id as UserId }
    row.token_sealed = record.has_token ? sealNewToken(app, bot) : null
    delete row.has_token
  },
  bot_storage(row) {
    row.key_digest = createHash('sha256')
      .update(row.key as string)
      .digest()
  },
  message(row) {
    const topic = row.topic as string
    row.folded_topic = foldTopic(topic)
    row.words = listContentWords(row.sender_id as number, row.rendered_content as string)
    row.topic_words = listTopicWords(topic)
  },
  submessage(row, record, { ids }) {
    row.content = mapAction(record.content as string, ids)
  },
  reaction(row, record, { ids }) {
    if (record.reaction_type !== 'realm_emoji') return
    const emoji = ids.find('emoji', Number(record.emoji_code))
    if (emoji === undefined) throw recordRefusal('reaction', record, 'its emoji is not in the export')
    row.emoji_code = String(emoji)
  },
  upload(row, record, { organization_id }) {
    const [, ...rest] = (record.path_id as string).split('/')
    row.path_id = [organization_id, ...rest].join('/')
  },
  draft(row, record, { ids }) {
    const kind = record.type === 'private' ? 'user' : 'recipient'
    row.recipients = (record.recipients as number[]).flatMap((id) => ids.find(kind, id) ?? [])
  },
  scheduled_message(row, _record, { url }) {
    row.origin = url
    row.attempt_at = row.deliver_at
  },
}

/** Parses a JSON array of ids. Returns undefined if the text is anything else. */
function parseIds(text: string): number[] | undefined {
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) && ids.every(Number.isSafeInteger) ? ids : undefined
  } catch {
    return undefined
  }
}

/**
 * Maps the user id in a widget action: in the key of a poll option (`12,1`) or of a task (`1,12`).
 * Other actions contain no ids.
 */
function mapAction(content: string, ids: IdMaps): string {
  let action: { type?: unknown; key?: unknown } | null
  try {
    action = JSON.parse(content)
  } catch {
    return content
  }
  if (typeof action !== 'object' || action === null || typeof action.key !== 'string') return content
  const [, first = '', second = ''] = /^(\d{1,16}),(\d{1,16})$/.exec(action.key) ?? []
  if (first === '') return content
  const find = (id: string) => ids.find('user', Number(id)) ?? id
  if (action.type === 'vote') return JSON.stringify({ ...action, key: `${find(first)},${second}` })
  if (action.type === 'strike') return JSON.stringify({ ...action, key: `${first},${find(second)}` })
  return content
}
