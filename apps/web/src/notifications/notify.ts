import type { Event } from '@oxbow/contract'
import { effect } from '@preact/signals'
import { hasEnded } from '../client/connection.ts'
import { othersOf, targetKey } from '../client/conversations/target.ts'
import { noteMissed, permission, startPermission } from '../client/device/notification-permission.ts'
import {
  closeNotifications,
  type ShownNotification,
  showNotification,
  startNotificationClicks,
} from '../client/device/notifications.ts'
import { isLeading } from '../client/device/tabs.ts'
import { onFollowed } from '../client/events.ts'
import { formatList } from '../client/formats/dates.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { namesOf } from '../client/people/people.ts'
import { writeHash } from '../client/route/hash.ts'
import { privateRoute, topicRoute } from '../client/route/route.ts'
import {
  desktopOfStreams,
  notifiesBySound,
  notifiesOnScreen,
  ownId,
  showsPrivateContent,
  soundOfStreams,
  wildcardOfStreams,
} from '../client/store.ts'
import { attentionTo, streamsById } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'
import { playChime } from './chime.ts'
import type { NotificationChannels } from './decide.ts'
import { isSeen, startInView } from './in-view.ts'

type MessageEvent = Extract<Event, { type: 'message' }>
type Message = MessageEvent['message']

/**
 * Older messages, which arrive when the client catches up after a pause, do not notify: the counts
 * in the nav suffice.
 */
const maxAgeMs = 600_000
const maxCharacters = 200

/**
 * Notifies the user of new messages that are not in view, according to the settings of the account.
 * All tabs record that a notification was due; only the leader shows it.
 */
export function startNotifications(): void {
  void loadRules().catch(() => {})
  startPermission()
  startInView()
  startNotificationClicks()
  // Notifications quote messages.
  effect(() => {
    if (hasEnded.value) void closeNotifications(() => true)
  })
  onFollowed((followed) => {
    if (followed.kind !== 'event') return
    const { event } = followed
    if (event.type === 'message') void notify(event)
    else if (isLeading()) closeGone(event)
  })
}

async function notify({ message, flags }: MessageEvent): Promise<void> {
  if (Date.now() - message.timestamp * 1000 > maxAgeMs) return
  const channels = await chooseChannelsOf(message, flags)
  if (!channels.screen && !channels.sound) return
  if (await isSeen(message.id)) return
  if (channels.screen && permission.peek() !== 'granted') noteMissed()
  if (!isLeading()) return
  if (channels.sound) playChime()
  if (channels.screen && permission.peek() === 'granted') await showNotification(await describe(message))
}

/** Loads the rules, which the first screen does not wait for. */
const loadRules = () => import('./decide.ts')

async function chooseChannelsOf(message: Message, flags: readonly string[]): Promise<NotificationChannels> {
  const { chooseChannels } = await loadRules()
  const stream = message.type === 'stream' ? streamsById.peek().get(message.stream_id) : undefined
  return chooseChannels(
    {
      isOwn: message.sender_id === ownId.peek(),
      isPrivate: message.type === 'private',
      // A stream without a subscription counts as muted.
      isStreamMuted: message.type === 'stream' && (stream?.is_muted ?? true),
      topicPolicy:
        message.type === 'stream' ? policies[attentionTo(message.stream_id, message.subject)] : 'inherit',
      isSenderMuted: isPersonMuted(message.sender_id),
      flags,
    },
    {
      screen: notifiesOnScreen.peek() ?? false,
      sound: notifiesBySound.peek() ?? false,
      streamScreen: desktopOfStreams.peek() ?? false,
      streamSound: soundOfStreams.peek() ?? false,
      wildcards: wildcardOfStreams.peek() ?? true,
      overrides: stream,
    },
  )
}

/** The policies of topics, by the number of the attention that the account pays to them. */
const policies = ['inherit', 'muted', 'unmuted', 'followed'] as const

async function describe(message: Message): Promise<ShownNotification> {
  const { id, sender_full_name: name } = message
  if (message.type === 'stream') {
    const { stream_id, subject: topic, display_recipient: stream } = message
    return {
      title: t('notification.in_topic', { name, stream, topic }),
      text: await readText(message),
      conversation: targetKey({ type: 'stream', stream_id, topic }),
      message_id: id,
      hash: writeHash(topicRoute({ stream_id, name: stream }, topic, { near: id })),
    }
  }
  const user_ids = othersOf(message.display_recipient.map((person) => person.id))
  const names = namesOf(user_ids)
  const isGroup = user_ids.length > 1
  const route = privateRoute(user_ids, isGroup ? 'group' : name)
  return {
    title: isGroup ? t('notification.in_group', { name, names: formatList(names) }) : name,
    text: showsPrivateContent.peek() === false ? t('notification.hidden') : await readText(message),
    conversation: targetKey({ type: 'private', user_ids }),
    message_id: id,
    hash: writeHash(route.view === 'narrow' ? { ...route, at: { near: id } } : route),
  }
}

/** Returns the message as plain text, without spoilers. */
async function readText({ content }: Message): Promise<string> {
  try {
    const { toPlainText } = await import('@oxbow/markdown')
    const text = toPlainText(content)
    return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
  } catch {
    return t('notification.hidden')
  }
}

/** Closes the notifications of messages that were read on another device or deleted. */
function closeGone(event: Event): void {
  if (event.type === 'update_message_flags' && event.flag === 'read' && event.operation === 'add') {
    const read = new Set<number>(event.messages)
    void closeNotifications((id) => event.all || read.has(id))
  } else if (event.type === 'delete_message') {
    const ids = 'message_ids' in event ? event.message_ids : [event.message_id]
    const deleted = new Set<number>(ids as number[])
    void closeNotifications((id) => deleted.has(id))
  }
}
