import type { Team, TeamMessage, TeamPerson, TeamPlace } from './team.ts'
import { makeZip, type ZipFile } from './zip.ts'

export interface SlackShape {
  /** Whether the texts come as blocks, as Slack's editor writes them, or only as markup. */
  withBlocks: boolean
}

const json = (name: string, value: unknown): ZipFile => ({
  name,
  content: Buffer.from(JSON.stringify(value)),
})

/** Writes a time as Slack does: seconds with six decimals, which are the id of a message. */
export const slackTime = (at: number): string =>
  `${Math.floor(at / 1_000_000)}.${String(at % 1_000_000).padStart(6, '0')}`

/** Writes a team as an export of Slack with all conversations, and the files as slackdump adds them. */
export function makeSlackExport(team: Team, { withBlocks }: SlackShape): Buffer {
  const list = (kind: TeamPlace['kind'], isGroup?: boolean) =>
    team.places.filter(
      (place) => place.kind === kind && (isGroup === undefined || place.members.length > 2 === isGroup),
    )
  const days = new Map<string, unknown[]>()
  const uploads: ZipFile[] = []
  for (const message of team.messages()) {
    const name = `${folderOf(message.place)}/${new Date(message.at / 1_000).toISOString().slice(0, 10)}.json`
    days.set(name, [...(days.get(name) ?? []), entryOf(message, withBlocks)])
    const { file } = message
    if (file) uploads.push({ name: `__uploads/${file.id}/${file.name}`, content: file.content })
  }
  return makeZip([
    json(
      'channels.json',
      list('public').map((place) => channelOf(team, place)),
    ),
    json(
      'groups.json',
      list('private').map((place) => channelOf(team, place)),
    ),
    json(
      'dms.json',
      list('conversation', false).map((place) => channelOf(team, place)),
    ),
    json(
      'mpims.json',
      list('conversation', true).map((place) => channelOf(team, place)),
    ),
    json('integration_logs.json', []),
    ...[...days].map(([name, entries]) => json(name, entries)),
    ...uploads,
    // Genuine exports have the list of people last.
    json('users.json', team.people.map(userOf)),
  ])
}

const folderOf = ({ id, name }: TeamPlace): string => name || id

function userOf({ id, name, email, role, isActive, isBot }: TeamPerson): unknown {
  return {
    ...{
      id,
      team_id: 'T0001',
      name: name.toLowerCase(),
      real_name: name,
      deleted: !isActive && !isBot,
      is_bot: isBot,
    },
    ...{ is_owner: role === 'owner', is_primary_owner: role === 'owner', is_admin: role === 'administrator' },
    ...{ is_restricted: role === 'guest', tz: 'Europe/Berlin' },
    profile: { display_name: '', real_name: name, email, title: 'Gardener', is_custom_image: false },
  }
}

const channelOf = (team: Team, { id, name, kind, members, isArchived }: TeamPlace): unknown => ({
  ...{
    id,
    created: 1_600_000_000,
    is_archived: isArchived,
    members: members.map((index) => team.people[index]?.id),
  },
  ...(kind !== 'conversation' && { name, purpose: { value: `About ${name}` }, topic: { value: '' } }),
})

function entryOf(message: TeamMessage, withBlocks: boolean): unknown {
  const { at, author, text, root, isBroadcast, isEdited, reactions, file } = message
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] }
  return {
    type: 'message',
    ts: slackTime(at),
    user: author.id,
    text: escaped,
    ...(withBlocks && { blocks: [{ type: 'rich_text', block_id: 'x', elements: [section] }] }),
    ...(root && { thread_ts: slackTime(root.at) }),
    ...(isBroadcast && { subtype: 'thread_broadcast' }),
    ...(isEdited && { edited: { user: author.id, ts: slackTime(at + 1_000_000) } }),
    ...(reactions.length > 0 && {
      reactions: reactions.map(({ emoji, people }) => ({
        ...{ name: emoji, count: people.length, users: people.map(({ id }) => id) },
      })),
    }),
    ...(file && {
      files: [
        { id: file.id, name: file.name, size: file.content.length, mode: 'hosted', mimetype: 'text/plain' },
      ],
    }),
  }
}
