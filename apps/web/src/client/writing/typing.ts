import type { TypingEvent, UserId } from '@oxbow/contract'
import { computed, signal } from '@preact/signals'
import { client } from '../client.ts'
import { othersOf, type Target, targetKey } from '../conversations/target.ts'
import { onFollowed } from '../events.ts'
import { isPersonMuted } from '../people/muted-people.ts'
import { ownId, privateMessagePolicy } from '../store.ts'

/** A person is shown as typing for this long after the last report. */
const shownMs = 15_000
/** Interval between reports while the user types. */
const repeatMs = 10_000
/** The user is reported as no longer typing after a pause of this length. */
const pauseMs = 5_000

interface Typist {
  readonly user_id: UserId
  readonly key: string
  readonly until: number
}

const typists = signal<readonly Typist[]>([])
let expiry: ReturnType<typeof setTimeout> | undefined

const keyOf = (user_ids: readonly UserId[]): string =>
  targetKey({ type: 'private', user_ids: othersOf(user_ids) })

/** Tracks who is typing in private conversations. */
export function startTyping(): void {
  onFollowed((followed) => {
    if (followed.kind === 'state') typists.value = []
    else if (followed.event.type === 'typing') noteTyping(followed.event)
    else if (followed.event.type === 'message') remove(followed.event.message.sender_id)
  })
  addEventListener('pagehide', () => stopTyping())
}

/**
 * Returns the ids of people who are typing in a private conversation, in the order in which they
 * started. Reads signals.
 */
export function typistsIn(user_ids: readonly UserId[]): readonly UserId[] {
  const key = keyOf(user_ids)
  return shown.value.filter((typist) => typist.key === key).map(({ user_id }) => user_id)
}

const shown = computed(() => typists.value.filter(({ user_id }) => !isPersonMuted(user_id)))

function noteTyping({ op, sender: { user_id }, recipients }: TypingEvent): void {
  if (user_id === ownId.peek()) return
  if (op === 'stop') {
    remove(user_id)
    return
  }
  const key = keyOf(recipients.map((recipient) => recipient.user_id))
  const typist = { user_id, key, until: Date.now() + shownMs }
  const isKnown = typists.peek().some((other) => other.user_id === user_id)
  typists.value = isKnown
    ? typists.peek().map((other) => (other.user_id === user_id ? typist : other))
    : [...typists.peek(), typist]
  scheduleExpiry()
}

function remove(user_id: UserId): void {
  if (typists.peek().some((typist) => typist.user_id === user_id))
    typists.value = typists.peek().filter((typist) => typist.user_id !== user_id)
}

function scheduleExpiry(): void {
  clearTimeout(expiry)
  const next = Math.min(...typists.peek().map(({ until }) => until))
  if (!Number.isFinite(next)) return
  expiry = setTimeout(
    () => {
      typists.value = typists.peek().filter(({ until }) => until > Date.now())
      scheduleExpiry()
    },
    Math.max(0, next - Date.now()),
  )
}

/** The conversation in which the user is reported as typing. */
let reported: { readonly user_ids: readonly UserId[]; readonly key: string; readonly at: number } | undefined
let pause: ReturnType<typeof setTimeout> | undefined

/** The value of `realm_private_message_policy` under which nobody may write. */
const nobodyWrites = 2

/** Reports to a private conversation that the user is typing. Must be called on every key press. */
export function reportTyping(target: Target): void {
  if (target.type !== 'private' || privateMessagePolicy.peek() === nobodyWrites) return
  const others = target.user_ids.filter((user_id) => user_id !== ownId.peek())
  if (others.length === 0) return
  const key = targetKey(target)
  clearTimeout(pause)
  pause = setTimeout(stopTyping, pauseMs)
  if (reported?.key === key && Date.now() - reported.at < repeatMs) return
  if (reported && reported.key !== key) stopTyping()
  reported = { user_ids: others, key, at: Date.now() }
  send('start', others)
}

/** Reports that the user stopped typing, if the start was reported. */
export function stopTyping(): void {
  clearTimeout(pause)
  if (!reported) return
  send('stop', reported.user_ids)
  reported = undefined
}

function send(op: 'start' | 'stop', user_ids: readonly UserId[]): void {
  // A failed report is not retried: it would be outdated by then.
  client.typing.tell({ op, to: [...user_ids] }).catch(() => {})
}
