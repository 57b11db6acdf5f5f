import type { PresenceEvent, SlimPresence, UserId } from '@oxbow/contract'
import { type Signal, signal } from '@preact/signals'
import { client } from '../client.ts'
import { onFollowed } from '../events.ts'
import { ownId, presenceDisabled, presenceEnabled, userStatuses } from '../store.ts'
import { judgePresence, type Presence } from './judge-presence.ts'
import { peopleById } from './people.ts'

/** People whose presence is shown, each with the number of components that show it. */
const watcherCounts = new Map<UserId, number>()
/** Newest reports by user id, for people who were shown recently. */
const reports = new Map<UserId, Signal<SlimPresence | undefined>>()
/** People who are shown and were not requested yet. */
const unrequestedIds = new Set<UserId>()

/** Maximum number of stored reports. Beyond it, the people who were shown least recently are removed. */
const maxKept = 2_000
/** Maximum number of people per request. */
const maxPerRequest = 500
/** People who appear within this time are requested together. */
const gatherMs = 200
const refreshMs = 60_000
/** Minimum time between requests while the user scrolls through a long list of people. */
const minGapMs = 3_000

/** Seconds by which the server's clock is ahead of this device's. */
let aheadSeconds = 0
let fetchedAt = 0
let isGathering = false
/** Increases once a minute, because presence expires with time. */
const minute = signal(0)

/** Follows presence reports about the people who are shown. */
export function startPresence(): void {
  onFollowed((followed) => {
    if (followed.kind === 'event' && followed.event.type === 'presence') noteReport(followed.event)
    // Reports may have been missed before a new state was fetched.
    if (followed.kind === 'state') requestAll()
  })
  setInterval(() => {
    if (document.visibilityState === 'visible') requestAll()
    minute.value++
  }, refreshMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') requestAll()
  })
}

/** Registers a component that shows the presence of a person. Returns a function that unregisters it. */
export function watchPresence(user_id: UserId): () => void {
  watcherCounts.set(user_id, (watcherCounts.get(user_id) ?? 0) + 1)
  if (reports.get(user_id)?.peek() === undefined) requestPresence([user_id])
  return () => {
    const count = (watcherCounts.get(user_id) ?? 1) - 1
    if (count > 0) watcherCounts.set(user_id, count)
    else watcherCounts.delete(user_id)
  }
}

/**
 * Returns the presence of a registered person. Undefined for bots, for deactivated people, and
 * where the organization does not show presence. Reads signals.
 */
export function presenceOf(user_id: UserId): Presence | undefined {
  const person = peopleById.value.get(user_id)
  if (!person || person.is_bot || !person.is_active || presenceDisabled.value) return undefined
  minute.value
  if (userStatuses.value?.[user_id]?.away) return { availability: 'offline', lastSeen: undefined }
  if (user_id === ownId.value)
    return { availability: presenceEnabled.value ? 'active' : 'offline', lastSeen: undefined }
  return judgePresence(reportsOf(user_id).value, Date.now() / 1000 + aheadSeconds)
}

function reportsOf(user_id: UserId): Signal<SlimPresence | undefined> {
  const known = reports.get(user_id) ?? signal<SlimPresence | undefined>(undefined)
  // Moves the person to the end of the map, which is ordered by last use.
  reports.delete(user_id)
  reports.set(user_id, known)
  if (reports.size > maxKept)
    for (const [id] of reports) {
      if (reports.size <= maxKept) break
      if (!watcherCounts.has(id)) reports.delete(id)
    }
  return known
}

function noteReport({ user_id, presence, server_timestamp }: PresenceEvent): void {
  noteTime(server_timestamp)
  const known = reports.get(user_id)
  const [report] = Object.values(presence)
  if (!known || !report) return
  const field = report.status === 'active' ? 'active_timestamp' : 'idle_timestamp'
  known.value = { ...known.peek(), [field]: Math.max(report.timestamp, known.peek()?.[field] ?? 0) }
}

/** Measures how far the server's clock is ahead. The clocks of devices are often wrong by minutes. */
function noteTime(serverSeconds: number): void {
  aheadSeconds = serverSeconds - Date.now() / 1000
}

function requestAll(): void {
  requestPresence([...watcherCounts.keys()])
}

function requestPresence(user_ids: readonly UserId[]): void {
  for (const user_id of user_ids) unrequestedIds.add(user_id)
  if (isGathering || unrequestedIds.size === 0) return
  isGathering = true
  setTimeout(() => void fetchRequested(), Math.max(gatherMs, fetchedAt + minGapMs - Date.now()))
}

async function fetchRequested(): Promise<void> {
  isGathering = false
  fetchedAt = Date.now()
  const user_ids = [...unrequestedIds].filter((user_id) => user_id !== ownId.peek()).slice(0, maxPerRequest)
  unrequestedIds.clear()
  if (user_ids.length === 0 || presenceDisabled.peek()) return
  try {
    const { presences, server_timestamp } = await client.presence.listOf({ user_ids: user_ids })
    noteTime(server_timestamp)
    for (const user_id of user_ids) reportsOf(user_id).value = presences[user_id] ?? {}
  } catch {
    // The failed request is repeated within a minute.
  }
}
