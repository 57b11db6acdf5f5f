import type { UserId } from '@oxbow/contract'
import { countedPrivate, inboxStreams, unreadByStream } from '../client/conversations/unread.ts'
import { nameOf } from '../client/people/names.ts'
import {
  findConversation,
  findStreamId,
  privateRoute,
  type Route,
  streamRoute,
  topicRoute,
} from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { orderedStreams } from '../client/streams/sections.ts'
import { streamsById } from '../client/streams/streams.ts'
import {
  chooseNextPrivate,
  chooseNextUnread,
  type NextUnreadOptions,
  type UnreadConversation,
} from './next-unread.ts'

/** Conversations that the user left with `n` while they had unread messages; `n` returns to them last. */
const skippedKeys = new Set<string>()

/** Goes to the next conversation with unread messages; to the Inbox if there is none. */
export const goToNextUnread = (): void => goToUnread(chooseNextUnread)

/** Views that the user left by `n` or `p`, oldest first. */
const trail: Route[] = []
const maxTrail = 50

/** Returns to the view in which `n` or `p` was last pressed. */
export function goToPreviousUnread(): void {
  const before = trail.pop()
  if (before) openRoute(before)
}

/** Goes to the next private conversation with unread messages. */
export const goToNextPrivate = (): void => goToUnread(chooseNextPrivate)

function goToUnread(choose: (options: NextUnreadOptions) => UnreadConversation | undefined): void {
  const conversations = listUnread()
  trail.push(route.peek())
  if (trail.length > maxTrail) trail.shift()
  const open = findConversation(route.peek())
  const openKey = open && keyOf(open)
  if (openKey !== undefined) skippedKeys.add(openKey)
  const next = choose({
    conversations,
    openKey,
    openStream: findStreamId(route.peek()),
    skipped: skippedKeys,
  })
  if (!next) skippedKeys.clear()
  openRoute(next ? next.route : { view: 'inbox' })
}

const keyOf = (conversation: NonNullable<ReturnType<typeof findConversation>>): string =>
  conversation.type === 'stream'
    ? `${conversation.stream_id} ${conversation.topic.toLowerCase()}`
    : conversation.user_ids.toSorted((a, b) => a - b).join()

/** Lists unread conversations in the order of the nav. */
function listUnread(): UnreadConversation[] {
  const openStream = findStreamId(route.peek())
  const listed = inboxStreams.peek().map(({ stream }) => stream.stream_id)
  // The open stream is included even if it is muted.
  const streams = openStream !== undefined && !listed.includes(openStream) ? [openStream, ...listed] : listed
  return [
    ...streams.flatMap((stream_id) => {
      const name = streamsById.peek().get(stream_id)?.name ?? ''
      return (unreadByStream.peek().get(stream_id)?.topics ?? []).map(({ topic, isMuted, ids }) => ({
        key: keyOf({ type: 'stream', stream_id, topic }),
        stream_id,
        isMuted,
        oldestUnreadId: Math.min(...ids),
        route: topicRoute({ stream_id, name }, topic),
      }))
    }),
    ...countedPrivate.peek().map(({ user_ids, ids }) => ({
      key: keyOf({ type: 'private', user_ids }),
      stream_id: undefined,
      isMuted: false,
      oldestUnreadId: Math.min(...ids),
      route: routeOf(user_ids),
    })),
  ]
}

const routeOf = (user_ids: readonly UserId[]): Route =>
  privateRoute(user_ids, user_ids.length > 1 ? 'group' : nameOf(user_ids[0] as UserId))

/**
 * Opens the next or previous stream in the order of the nav. If no stream is open, opens the first
 * or the last.
 */
export function goToStream(step: 1 | -1): void {
  const streams = orderedStreams.peek()
  const open = streams.findIndex(({ stream_id }) => stream_id === findStreamId(route.peek()))
  const index = open === -1 && step === -1 ? streams.length - 1 : open + step
  const next = streams[(index + streams.length) % streams.length]
  if (next) openRoute(streamRoute({ stream_id: next.stream_id, name: next.name }))
}
