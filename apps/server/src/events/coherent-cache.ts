import type { OrganizationId, UserId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import { perNode } from '../platform/per-node.ts'
import type { EventLog } from './log/event-log.ts'
import type { Effect } from './record.ts'

/** A value read from PostgreSQL, with the account or subject whose change invalidates it. */
export interface CacheEntry<Value> {
  value: Value
  organization_id: OrganizationId
  user_id: UserId
  /**
   * Names a part of the organization's data, for values that belong to the organization rather than
   * to a user. An `organization` effect with this subject invalidates the entry; changes of
   * `user_id` then do not.
   */
  subject?: string
}

/** The key by which entries are invalidated: a user, or a named part of an organization's data. */
type Subject = UserId | `${OrganizationId} ${string}`

/** Entries per cache; beyond this the oldest entry is evicted. */
const maxEntries = 200_000
/**
 * Bounds how long a row that was edited by hand in PostgreSQL, without a record in the log, stays
 * cached.
 */
const maxAgeMs = 60_000

/**
 * Caches values read from PostgreSQL, and returns them only while the node's position in the log is
 * known to be fresh. Every change of an account is a record of the log with an effect, which
 * invalidates the entries about that account; so a cached value is never older than the lease of
 * `EventLog.isLeased`. A miss always reads PostgreSQL. Callers must never refuse a request because
 * of a cached value alone: call `refresh` first.
 */
export class CoherentCache<Value> {
  readonly #log: EventLog
  readonly #entries = new BoundedCache<string, CacheEntry<Value> & { readAt: number }>(maxEntries)
  readonly #bySubject = new Map<Subject, Set<string>>()
  /** Subjects invalidated while reads are in flight, so that an outdated value is not stored. */
  readonly #changedDuringReads = new Map<Subject | 'all', number>()
  #invalidationCount = 0
  #readsInFlight = 0

  constructor(log: EventLog) {
    this.#log = log
    log.onInvalidate((organization, effect) => this.#invalidate(organization, effect))
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * Returns the cached value, or the result of `read`, which is cached. Undefined where `read`
   * found nothing.
   */
  async get(key: string, read: () => Promise<CacheEntry<Value> | undefined>): Promise<Value | undefined> {
    return this.find(key) ?? (await this.refresh(key, read))
  }

  /** Returns the cached value if it is known to be fresh; never reads PostgreSQL. */
  find(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry || !this.#log.isLeased(entry.organization_id)) return undefined
    return performance.now() - entry.readAt < maxAgeMs ? entry.value : undefined
  }

  /**
   * Calls `read` even if a value is cached, and caches the result unless its subject changed
   * meanwhile.
   */
  async refresh(key: string, read: () => Promise<CacheEntry<Value> | undefined>): Promise<Value | undefined> {
    const started = this.#invalidationCount
    const startedAt = performance.now()
    this.#readsInFlight++
    try {
      const entry = await read()
      if (!entry) {
        this.#drop(key)
        return undefined
      }
      // A change made before the node follows the organization would not invalidate the entry.
      const organization = this.#log.organizations.get(entry.organization_id)
      if (!organization || organization.followedAt > startedAt) void this.#follow(entry.organization_id)
      else if (!this.#hasChanged(entry, started)) this.#store(key, { ...entry, readAt: startedAt })
      return entry.value
    } finally {
      if (--this.#readsInFlight === 0) this.#changedDuringReads.clear()
    }
  }

  async #follow(id: OrganizationId): Promise<void> {
    await this.#log.follow(id).catch(() => {})
  }

  #hasChanged(entry: CacheEntry<Value>, started: number): boolean {
    return [subjectOf(entry), 'all' as const].some(
      (about) => (this.#changedDuringReads.get(about) ?? -1) >= started,
    )
  }

  #store(key: string, entry: CacheEntry<Value> & { readAt: number }): void {
    this.#drop(key)
    const [evictedKey, evicted] = this.#entries.set(key, entry) ?? []
    if (evicted) this.#removeFromIndex(evictedKey ?? '', evicted)
    const subject = subjectOf(entry)
    const keys = this.#bySubject.get(subject) ?? new Set()
    this.#bySubject.set(subject, keys.add(key))
  }

  #invalidate(organization: OrganizationId, effect: Effect | 'all'): void {
    const about = changedSubject(organization, effect)
    if (about === undefined) return
    if (this.#readsInFlight > 0) this.#changedDuringReads.set(about, this.#invalidationCount)
    this.#invalidationCount++
    if (about !== 'all') {
      for (const key of [...(this.#bySubject.get(about) ?? [])]) this.#drop(key)
      return
    }
    for (const [key, entry] of this.#entries) if (entry.organization_id === organization) this.#drop(key)
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#removeFromIndex(key, entry)
  }

  #removeFromIndex(key: string, entry: CacheEntry<Value>): void {
    const subject = subjectOf(entry)
    const keys = this.#bySubject.get(subject)
    keys?.delete(key)
    if (keys?.size === 0) this.#bySubject.delete(subject)
  }
}

const subjectOf = ({ organization_id, user_id, subject }: CacheEntry<unknown>): Subject =>
  subject === undefined ? user_id : `${organization_id} ${subject}`

/** Returns undefined for effects on queues and subscriptions, which no cache holds. */
function changedSubject(organization: OrganizationId, effect: Effect | 'all'): Subject | 'all' | undefined {
  if (effect === 'all' || effect.kind === 'deactivation') return 'all'
  if (effect.kind === 'organization')
    return effect.subject === undefined ? 'all' : `${organization} ${effect.subject}`
  return 'user' in effect ? effect.user : undefined
}

/**
 * Declares a cache at module level and returns a function that gives each node its own instance.
 * Keys must be unique within one declared cache across organizations.
 */
export function coherentCache<Value>(name: string): (app: App) => CoherentCache<Value> {
  return perNode({
    name: `cache of ${name}`,
    create: (app) => new CoherentCache<Value>(app.events.log),
    countEntries: ({ size }) => size,
  })
}
