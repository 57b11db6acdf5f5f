import type {
  PresenceByClient,
  PresenceEvent,
  PresenceReport,
  SlimPresence,
  UserEvent,
  UserId,
} from '@oxbow/contract'
import { aggregatePresence } from '@oxbow/contract/plain'
import { type State, withFetched } from './state.ts'

type Slim = Record<string, SlimPresence>
type Full = Record<string, PresenceByClient>

/** Applies a presence event. Events of queues with `slim_presence` have no e-mail address. */
export function applyPresence(state: State, { user_id, email, presence }: PresenceEvent): State {
  const [report] = Object.values(presence)
  if (!state.presences || !report) return state
  if (email === undefined)
    return withFetched(state, { presences: withSlim(state.presences as Slim, user_id, report) })
  // The user's display address may have changed since the report.
  const key = emailOf(state, user_id) ?? email
  return withFetched(state, { presences: withReport(state.presences as Full, key, report) })
}

function withSlim(presences: Slim, user_id: UserId, { status, timestamp }: PresenceReport): Slim {
  const known = presences[user_id]
  const field = status === 'active' ? 'active_timestamp' : 'idle_timestamp'
  return { ...presences, [user_id]: { ...known, [field]: Math.max(timestamp, known?.[field] ?? 0) } }
}

function withReport(presences: Full, key: string, report: PresenceReport): Full {
  const others = Object.values(presences[key] ?? {}).filter(
    (known): known is PresenceReport => 'pushable' in known && known.client !== report.client,
  )
  return { ...presences, [key]: aggregatePresence([report, ...others]) }
}

/**
 * Removes deactivated users from the presences, and changes the keys of users whose display address
 * changed.
 */
export function applyUserToPresences(state: State, event: UserEvent): State {
  const { presences } = state
  if (!presences) return state
  const { user_id } = event.person
  const email = emailOf(state, user_id) ?? ''
  if (event.op === 'remove') {
    const { [email]: _, [user_id]: __, ...others } = presences as Full
    return withFetched(state, { presences: others })
  }
  if (event.op !== 'update' || !('new_email' in event.person) || !Object.hasOwn(presences, email))
    return state
  const { [email]: known, ...others } = presences as Full
  return withFetched(state, { presences: { ...others, ...(known && { [event.person.new_email]: known }) } })
}

function emailOf({ realm_users = [], realm_non_active_users = [] }: State, id: UserId): string | undefined {
  const hasId = ({ user_id }: { user_id: UserId }) => user_id === id
  return (realm_users.find(hasId) ?? realm_non_active_users.find(hasId))?.email
}
