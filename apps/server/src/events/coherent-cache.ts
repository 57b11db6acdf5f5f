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
   * Names a part of the organization's data. Set if the value belongs to the organization and not to a user.
   * The entry is then invalidated by an `organization` effect with this subject, and not by changes of
   * `user_id`.
   */
  subject?: string
}

/** The key by which entries are invalidated: a user, or a named part of an organization's data. */
type Subject = UserId | `${OrganizationId} ${string}`

/** Maximum number of entries per cache; beyond it, the oldest entry is evicted. */
const maxEntries = 200_000
/**
 * Limits how long a row stays cached after it was edited by hand in PostgreSQL, without a record in the log.
 */
const maxAgeMs = 60_000

/**
 * Caches values read from PostgreSQL, and returns them only while the node's position in the log is known to
 * be fresh. Every change of an account writes a record with an effect to the log, and the effect invalidates
 * the entries of that account. A cached value is therefore never older than the lease of
 * `EventLog.isLeased`. A miss always reads PostgreSQL. Callers must never refuse a request because of a
 * cached value alone: call `refresh` first.
 */
export class CoherentCache<Value> {
  readonly #log: EventLog
  readonly #entries = new BoundedCache<string, CacheEntry<Value> & { readAt: number }>(maxEntries)
  readonly #bySubject = new Map<Subject, Set<string>>()
  /**
   * Subjects that were invalidated while reads are in flight. Values of these subjects may be outdated, so
   * they are not stored.
   */
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
   * Returns the cached value. If there is none, calls `read` and caches its result; undefined if `read` found
   * nothing.
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
      // Before the node follows the organization, changes do not invalidate entries, so the value is not
      // cached.
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
      (subject) => (this.#changedDuringReads.get(subject) ?? -1) >= started,
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
    const subject = changedSubject(organization, effect)
    if (subject === undefined) return
    if (this.#readsInFlight > 0) this.#changedDuringReads.set(subject, this.#invalidationCount)
    this.#invalidationCount++
    if (subject !== 'all') {
      for (const key of [...(this.#bySubject.get(subject) ?? [])]) this.#drop(key)
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

/**
 * Returns the subject that an effect changes; undefined for effects on queues and subscriptions, which no
 * cache contains.
 */
function changedSubject(organization: OrganizationId, effect: Effect | 'all'): Subject | 'all' | undefined {
  if (effect === 'all' || effect.kind === 'deactivation') return 'all'
  if (effect.kind === 'organization')
    return effect.subject === undefined ? 'all' : `${organization} ${effect.subject}`
  return 'user' in effect ? effect.user : undefined
}

/**
 * Declares a cache at module level and returns a function that returns the instance of a node. Keys must be
 * unique within one declared cache across organizations.
 */
export function coherentCache<Value>(name: string): (app: App) => CoherentCache<Value> {
  return perNode({
    name: `cache of ${name}`,
    create: (app) => new CoherentCache<Value>(app.events.log),
    countEntries: ({ size }) => size,
  })
}
