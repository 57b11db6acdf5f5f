import type { StreamId } from '@oxbow/contract'
import type { Route } from '../client/route/route.ts'

/** A conversation with unread messages. */
export interface UnreadConversation {
  readonly key: string
  /** Undefined for private conversations. */
  readonly stream_id: StreamId | undefined
  readonly isMuted: boolean
  readonly oldestUnreadId: number
  readonly route: Route
}

export interface NextUnreadOptions {
  /** Unread conversations in the order of the nav; the position of private ones does not matter. */
  readonly conversations: readonly UnreadConversation[]
  readonly openKey: string | undefined
  readonly openStream: number | undefined
  /** Keys of conversations that were skipped since the user started going through unread conversations. */
  readonly skipped: ReadonlySet<string>
}

/**
 * Returns the conversation that `n` opens: topics of the open stream below the open topic, then
 * those above it, then other streams in the order of the nav, then skipped conversations, then
 * private ones, starting with the one that has been unread longest. Muted topics are included only
 * in the open stream.
 */
export function chooseNextUnread(options: NextUnreadOptions): UnreadConversation | undefined {
  const { conversations, openKey, openStream, skipped } = options
  const open = conversations.findIndex(({ key }) => key === openKey)
  const others = conversations.filter(({ key }) => key !== openKey)
  const below = conversations.slice(open + 1)
  const isHere = ({ stream_id }: UnreadConversation) => stream_id !== undefined && stream_id === openStream
  const isElsewhere = (candidate: UnreadConversation) =>
    candidate.stream_id !== undefined && !isHere(candidate) && !candidate.isMuted
  const ordered = [
    ...below.filter(isHere),
    ...others.filter((candidate) => isHere(candidate) && !below.includes(candidate)),
    ...others.filter(isElsewhere),
  ]
  const fresh = ordered.filter(({ key }) => !skipped.has(key))
  const alreadySkipped = ordered.filter(({ key }) => skipped.has(key))
  return [...fresh, ...alreadySkipped, ...listPrivate(others)][0]
}

/** Returns the private conversation that `p` opens: the one that has been unread longest. */
export const chooseNextPrivate = ({
  conversations,
  openKey,
}: NextUnreadOptions): UnreadConversation | undefined =>
  listPrivate(conversations.filter(({ key }) => key !== openKey))[0]

const listPrivate = (conversations: readonly UnreadConversation[]): UnreadConversation[] =>
  conversations
    .filter(({ stream_id }) => stream_id === undefined)
    .sort((a, b) => a.oldestUnreadId - b.oldestUnreadId)
