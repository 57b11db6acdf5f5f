import type { SourceFile, SourceMessage } from '../model/source.ts'
import type { FileReason } from '../report/reasons.ts'
import type { Tally } from '../report/tally.ts'
import { parseSeconds } from '../text/moments.ts'
import { field, idOf, isTrue, listOf, textOf, textsOf } from '../values.ts'
import type { SlackBody } from './message-text.ts'
import { withoutTone } from './mrkdwn.ts'
import { listPermalinks } from './permalinks.ts'

/** Notices of Slack itself, which nobody wrote. */
const notices = new Set(
  (
    'channel_join channel_leave group_join group_leave channel_topic channel_purpose channel_name group_topic ' +
    'group_purpose group_name channel_archive channel_unarchive group_archive group_unarchive ' +
    'channel_convert_to_private channel_posting_permissions bot_add bot_remove pinned_item unpinned_item ' +
    'reminder_add joiner_notification joiner_notification_for_inviter channel_canvas_updated ' +
    'tabbed_canvas_updated ekm_access_denied'
  ).split(' '),
)
const oldVersions = new Set(['message_changed', 'message_deleted', 'message_replied'])
const broadcasts = new Set(['thread_broadcast', 'reply_broadcast'])

/** Converts a message of a day. Returns undefined, and counts why, if it is only a record of a change. */
export function readMessage(
  entry: unknown,
  place: string,
  findFilePath: (id: string) => string | undefined,
  tally: Tally,
): SourceMessage | undefined {
  const subtype = textOf(entry, 'subtype')
  tally.kind(subtype || 'message')
  const id = idOf(entry, 'ts')
  if (oldVersions.has(subtype) || field(entry, 'original') !== undefined) {
    tally.found(place)
    tally.skip(place, 'old_version', { id })
    return undefined
  }
  const author = readAuthor(entry, subtype)
  const thread = idOf(entry, 'thread_ts')
  const editedAt = parseSeconds(idOf(field(entry, 'edited'), 'ts'))
  const body = readBody(entry, subtype)
  return {
    place,
    id: id || `no time ${JSON.stringify(entry).slice(0, 100)}`,
    at: parseSeconds(id),
    ...author,
    kind: kindOf(entry, subtype),
    ...(thread !== '' && { thread }),
    isBroadcast: broadcasts.has(subtype),
    ...(Number.isFinite(editedAt) && { editedAt }),
    body,
    reactions: listOf(entry, 'reactions').map((reaction) => ({
      emoji: withoutTone(textOf(reaction, 'name')),
      people: textsOf(reaction, 'users'),
      count: Number(field(reaction, 'count')) || 0,
    })),
    files: listFiles(entry).map((file) => readFile(file, findFilePath)),
    links: listPermalinks(`${body.text} ${JSON.stringify(body.blocks)}`),
  }
}

function kindOf(entry: unknown, subtype: string): SourceMessage['kind'] {
  if (subtype === 'tombstone') return 'deleted'
  // Slackbot's notices about huddles name the person who began the call.
  if (field(entry, 'room') !== undefined) return 'message'
  return notices.has(subtype) ? 'notice' : 'message'
}

/** Finds the author: a person, a bot by its id, or a bot that has only a name. */
function readAuthor(entry: unknown, subtype: string): { author: string; authorName: string } {
  const room = field(entry, 'room')
  if (room !== undefined)
    return { author: idOf(room, 'created_by') || idOf(entry, 'user') || 'USLACKBOT', authorName: '' }
  if (subtype === 'file_comment') {
    const commenter = idOf(field(entry, 'comment'), 'user')
    if (commenter !== '') return { author: commenter, authorName: '' }
  }
  const profile = field(entry, 'user_profile')
  const name =
    textOf(profile, 'display_name') ||
    textOf(profile, 'real_name') ||
    textOf(entry, 'username') ||
    textOf(field(entry, 'bot_profile'), 'name')
  const id = idOf(entry, 'user') || idOf(entry, 'bot_id') || (name === '' ? 'USLACKBOT' : `bot ${name}`)
  return { author: id, authorName: id === 'USLACKBOT' ? 'Slackbot' : name }
}

function readBody(entry: unknown, subtype: string): SlackBody {
  const room = field(entry, 'room')
  const comment = field(entry, 'comment')
  const text =
    subtype === 'file_comment' && comment !== undefined ? textOf(comment, 'comment') : textOf(entry, 'text')
  const [start, end] = [Number(field(room, 'date_start')), Number(field(room, 'date_end'))]
  return {
    text:
      textOf(entry, 'mimetype') === 'application/vnd.slack-docs' ? `${textOf(entry, 'title')} ${text}` : text,
    blocks: listOf(entry, 'blocks'),
    attachments: listOf(entry, 'attachments'),
    isMe: subtype === 'me_message',
    ...(room !== undefined && {
      room: {
        people: textsOf(room, 'participant_history').slice(0, 50),
        minutes: end > start ? Math.round((end - start) / 60) : 0,
      },
    }),
  }
}

function listFiles(entry: unknown): readonly unknown[] {
  const files = listOf(entry, 'files')
  const old = field(entry, 'file')
  return files.length > 0 || old === undefined || old === null ? files : [old]
}

/** Hosts from which files of Slack are downloaded. */
const fileHosts = /^https:\/\/(?:files\.slack\.com|[\w-]+\.slack\.com\/files-pri|slack-files\.com)\//

function readFile(file: unknown, findFilePath: (id: string) => string | undefined): SourceFile {
  const id = idOf(file, 'id')
  const name = textOf(file, 'name') || textOf(file, 'title')
  const url = textOf(file, 'url_private_download') || textOf(file, 'url_private')
  const missing = whyMissing(file)
  const path = findFilePath(id)
  const size = Number(field(file, 'size'))
  return {
    id: `file ${id}`,
    name,
    type: textOf(file, 'mimetype'),
    ...(idOf(file, 'user') !== '' && { uploader: idOf(file, 'user') }),
    ...(Number.isSafeInteger(size) && size > 0 && { size }),
    ...(path === undefined && missing && { missing }),
    ...(path !== undefined && { path }),
    ...(fileHosts.test(url) && { url }),
  }
}

function whyMissing(file: unknown): FileReason | undefined {
  const mode = textOf(file, 'mode')
  if (mode === 'tombstone') return 'deleted'
  if (mode === 'hidden_by_limit') return 'hidden_by_limit'
  const access = textOf(file, 'file_access')
  if (access === 'file_not_found') return 'deleted'
  if (access === 'access_denied') return 'no_access'
  return isTrue(file, 'is_external') ? 'not_in_archive' : undefined
}
