import { streamColors } from '@oxbow/contract'
import { writeLiteral } from '@oxbow/markdown/write-markdown'
import type { Micros } from '../model/source.ts'
import type { Tally } from '../report/tally.ts'
import { writeTime } from '../text/moments.ts'
import type { FileSource } from './files.ts'
import type { ImportOptions } from './options.ts'
import type { Render } from './render.ts'
import type { Scan } from './scan.ts'
import type { ImportSink } from './sink.ts'
import type { Team, TeamPerson, TeamPlace } from './team.ts'

export interface TeamContext {
  team: Team
  scan: Scan
  options: ImportOptions
  sink: ImportSink
  render: Render
  files: FileSource
  tally: Tally
  /** Number of messages: everything up to it is read. */
  messages: number
}

const profileFields = [
  { key: 'title', name: 'Title' },
  { key: 'phone', name: 'Phone' },
  { key: 'pronouns', name: 'Pronouns' },
] as const
const shortText = 1
const maxShortText = 50
const maxDescriptionHtml = 4_096

/** Writes the records of the organization, people, emoji and places, which come before the messages. */
export async function writeTeam(context: TeamContext): Promise<void> {
  const { sink, options } = context
  await sink.record('organization', {
    name: options.name,
    created_at: writeTime(options.exportedAt),
    invite_required: true,
    // The retention of a new organization could delete the imported history at once.
    message_retention_days: -1,
  })
  await writeProfileFields(context)
  for (const account of sink.systemAccounts) await sink.record('system_account', account)
  await writePeople(context)
  await writeEmoji(context)
  await writeSettings(context)
  await writePlaces(context)
}

const usedFields = ({ team }: TeamContext) =>
  profileFields.filter(({ key }) => team.people.some(({ fields }) => fields[key].trim() !== ''))

async function writeProfileFields(context: TeamContext): Promise<void> {
  for (const [index, { name }] of usedFields(context).entries())
    await context.sink.record('profile_field', {
      ...{ id: index + 1, name, type: shortText, hint: '', field_data: '', position: index },
    })
}

async function writePeople(context: TeamContext): Promise<void> {
  const { team, sink, scan, options } = context
  const firstByAuthor = new Map(scan.firstByAuthor)
  const pictures = new Set<number>()
  for (const person of team.people) if (await writeAvatar(context, person)) pictures.add(person.id)
  for (const person of team.people)
    await sink.record('user', {
      id: person.id,
      email: person.email,
      full_name: person.name,
      role: person.role,
      is_active: person.inactive === undefined,
      bot_type: person.isBot ? 1 : null,
      bot_owner_id: null,
      avatar_source: pictures.has(person.id) ? 'uploaded' : 'external',
      avatar_version: 1,
      timezone: person.timezone,
      date_joined: writeTime(firstByAuthor.get(person.sourceId) ?? options.exportedAt),
      erased_at: null,
    })
  for (const { id, role, inactive } of team.people)
    if (inactive === undefined) await sink.record('role_period', { user_id: id, role, ...sinceEver })
  for (const { id, fields } of team.people)
    for (const [index, { key }] of usedFields(context).entries())
      if (fields[key].trim() !== '')
        await sink.record('profile_value', {
          ...{
            user_id: id,
            field_id: index + 1,
            value: fields[key].slice(0, maxShortText),
            rendered_value: null,
          },
        })
}

/** A period that began before the first message and lasts. */
const sinceEver = { from_outbox_id: 0, to_outbox_id: null, from_message_id: 0, to_message_id: null }

async function writeAvatar({ files, sink }: TeamContext, { id, picture }: TeamPerson): Promise<boolean> {
  const found = picture && files.find(picture)
  return typeof found === 'object' && sink.avatar(id, found.open())
}

async function writeEmoji({ team, sink, files, tally }: TeamContext): Promise<void> {
  // Somebody must have added them; an owner exists in every import.
  const author = team.people.find(({ inactive, role }) => inactive === undefined && role === 100)
  for (const { id, name, picture } of team.emoji) {
    const found = files.find(picture)
    const file = typeof found === 'object' ? await sink.emoji(id, found.open()) : undefined
    if (file === undefined) tally.lose('unknown_emoji', { name })
    // Reactions refer to it, so it exists also without its picture.
    await sink.record('custom_emoji', {
      ...{ id, name, author_id: author?.id ?? sink.systemAccounts[0]?.id, file: file ?? `${id}.png` },
      is_deactivated: file === undefined,
    })
  }
}

async function writeSettings({ team, sink, messages }: TeamContext): Promise<void> {
  for (const { id, isBot } of team.people)
    if (!isBot) await sink.record('user_setting', { user_id: id, read_to: messages + 1 })
}

async function writePlaces(context: TeamContext): Promise<void> {
  const { sink } = context
  const streams = context.team.places.filter(({ kind }) => kind !== 'conversation')
  for (const stream of streams) await sink.record('stream', streamFields(context, stream))
  const written = new Set<number>()
  for (const { id, kind, members } of context.team.places) {
    if (kind !== 'conversation' || written.has(id)) continue
    written.add(id)
    await sink.record('conversation', { id, members: members.map((member) => member.id) })
  }
  for (const { id, members } of streams)
    for (const [index, member] of members.entries())
      await sink.record('subscription', subscriptionFields(member.id, id, index, context.messages))
  for (const { id, members } of streams)
    for (const member of members)
      await sink.record('subscription_period', { user_id: member.id, stream_id: id, ...sinceEver })
  for (const { id, isDefault } of streams)
    if (isDefault) await sink.record('default_stream', { stream_id: id })
}

function streamFields({ render, options, tally }: TeamContext, stream: TeamPlace) {
  const { id, name, archivedName, description, kind, createdAt, archivedAt, sourceId } = stream
  const { first, last } = tally.place(sourceId)
  const isKnown = (at: Micros | undefined) => at !== undefined && at > 0 && at <= options.exportedAt
  const created = [createdAt, first, options.exportedAt].find(isKnown) ?? options.exportedAt
  const archived = [archivedAt, last, options.exportedAt].find(isKnown) ?? options.exportedAt
  const html =
    description === ''
      ? ''
      : (render(description, maxDescriptionHtml) ?? render(writeLiteral(description), maxDescriptionHtml))
          ?.html
  return {
    id,
    name: archivedName ?? name,
    description,
    rendered_description: html ?? '',
    invite_only: kind === 'private',
    history_public_to_subscribers: true,
    stream_post_policy: 1,
    message_retention_days: null,
    created_at: writeTime(Math.min(created, first ?? created)),
    archived_at: archivedName === undefined ? null : writeTime(archived),
  }
}

const subscriptionFields = (user_id: number, stream_id: number, index: number, messages: number) => ({
  user_id,
  stream_id,
  is_active: true,
  color: streamColors[(stream_id + index) % streamColors.length],
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
  read_to: messages + 1,
})
