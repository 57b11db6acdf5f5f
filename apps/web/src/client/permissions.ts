import type { MessageId, PermissionAction, StreamId } from '@oxbow/contract'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { client } from './client.ts'
import { accountState } from './store.ts'

/** The server's decision about an action of the user. */
export interface Permission {
  readonly allowed: boolean
  /** The rule that decided, as a sentence. */
  readonly reason: string
}

export interface Subject {
  readonly stream_id?: StreamId
  readonly message_id?: MessageId
}

/** Fetches the rule about an action, as a sentence. Throws if the request fails. */
export async function explainPermission(
  action: PermissionAction,
  subject: Subject,
): Promise<{ sentence: string }> {
  const user_id = accountState.peek()?.user_id
  if (user_id === undefined) throw new Error('the account is not known yet')
  const { reason } = await client.permissions.explain({ user_id, action, ...(subject as object) })
  return { sentence: reason }
}

/** Decisions are fetched again after this time. */
const freshMs = 60_000

const answers = new Map<string, { readonly answer: Signal<Permission | undefined>; askedAt: number }>()

/**
 * Returns a signal with the server's decision whether the user may do something. It stays undefined
 * if the request fails; then the action is offered, and the server decides when it is attempted.
 */
export function askPermission(
  action: PermissionAction,
  subject: Subject,
): ReadonlySignal<Permission | undefined> {
  const key = `${action} ${subject.stream_id ?? ''} ${subject.message_id ?? ''}`
  const kept = answers.get(key) ?? { answer: signal<Permission | undefined>(undefined), askedAt: 0 }
  answers.set(key, kept)
  const user_id = accountState.peek()?.user_id
  if (user_id === undefined || Date.now() - kept.askedAt < freshMs) return kept.answer
  kept.askedAt = Date.now()
  client.permissions.explain({ user_id, action, ...(subject as object) }).then(
    ({ allowed, reason }) => {
      kept.answer.value = { allowed, reason }
    },
    () => {
      kept.askedAt = 0
    },
  )
  return kept.answer
}
