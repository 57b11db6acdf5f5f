import type { Term } from '@oxbow/sdk/windows'
import { signal } from '@preact/signals'
import { client } from '../client/client.ts'
import { targetKey } from '../client/conversations/target.ts'
import { startOfDay } from '../client/formats/local-time.ts'
import { routeOfFetched } from '../client/messages/links.ts'
import { writeHash } from '../client/route/hash.ts'
import { findConversation, type Route } from '../client/route/route.ts'
import { replaceRoute, route } from '../client/route/router.ts'
import { streamName } from '../client/streams/streams.ts'
import { readRefusal } from '../text/refusal.ts'

/** The result of searching for the message of a link. */
export type LinkNotice =
  /** The message was moved from the conversation `place` to the shown one. */
  { readonly kind: 'moved'; readonly place: string } | { readonly kind: 'gone' }

const notice = signal<{ readonly hash: string; readonly found: LinkNotice } | undefined>(undefined)

/** The notice about the link of the current view. */
export const linkNotice = {
  get value(): LinkNotice | undefined {
    return notice.value?.hash === writeHash(route.value) ? notice.value.found : undefined
  },
}

export function closeLinkNotice(): void {
  notice.value = undefined
}

type NarrowRoute = Extract<Route, { view: 'narrow' }>

/**
 * Searches for a linked message that is not in the linked conversation. If it was moved, navigates
 * to it; otherwise shows that it no longer exists.
 */
export async function followMovedMessage(current: NarrowRoute, near: number): Promise<void> {
  const before = findConversation(current)
  if (!before) return
  try {
    const { message } = await client.messages.getRaw({ message_id: near, apply_markdown: false })
    if (route.peek() !== current) return
    const found = routeOfFetched(message)
    const now = findConversation(found)
    if (!now || targetKey(now) === targetKey(before)) return
    const place = before.type === 'stream' ? `${streamName(before.stream_id)} › ${before.topic}` : ''
    notice.value = { hash: writeHash(found), found: { kind: 'moved', place } }
    replaceRoute(found)
  } catch (error) {
    if (readRefusal(error).status === 400 && route.peek() === current)
      notice.value = { hash: writeHash(current), found: { kind: 'gone' } }
  }
}

/** Opens a link with a date at the first message of that day, or else of the next day with messages. */
export async function openAtDate(current: NarrowRoute, narrow: readonly Term[], date: string): Promise<void> {
  const { messages } = await client.messages.list({
    anchor: 'date',
    anchor_date: new Date(startOfDay(date)).toISOString(),
    num_before: 0,
    num_after: 0,
    narrow: [...narrow] as never,
  })
  if (route.peek() !== current) return
  const near = messages[0]?.id
  replaceRoute({ ...current, at: near === undefined ? {} : { near } })
}
