import type { OrganizationId, UserId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { EventLog } from './log/event-log.ts'
import type { Effect } from './record.ts'

/** What is remembered, and what it is about. */
export interface Fact<Value> {
  value: Value
  organization_id: OrganizationId
  user_id: UserId
  /** Where it is of the organization rather than of someone, and changes more often than the rest of it. */
  subject?: string
}

/** A user, or something of an organization by its name. */
type Subject = UserId | `${OrganizationId} ${string}`

/** Beyond this the oldest goes. */
const most = 200_000
/** Rows that someone changed by hand, behind the server's back, are noticed after this time. */
const longest = 60_000

/**
 * Remembers what was read about accounts and answers from memory while the node's position in the log is known to be
 * fresh. Every change of an account is a record of the log, and drops what is remembered about it; so memory is never
 * further behind than the lease. What is not remembered is always asked of PostgreSQL.
 */
export class CoherentCache<Value> {
  readonly #log: EventLog
  readonly #facts = new Map<string, Fact<Value> & { readAt: number }>()
  readonly #bySubject = new Map<Subject, Set<string>>()
  /** While something is being read: what changed since, so that nothing outdated is remembered. */
  readonly #changed = new Map<Subject | 'all', number>()
  #clock = 0
  #reading = 0

  constructor(log: EventLog) {
    this.#log = log
    log.onForget((organization, effect) => this.#forget(organization, effect))
  }

  async get(key: string, read: () => Promise<Fact<Value> | undefined>): Promise<Value | undefined> {
    return this.find(key) ?? (await this.refresh(key, read))
  }

  /** From memory, if it may be trusted. */
  find(key: string): Value | undefined {
    const fact = this.#facts.get(key)
    if (!fact || !this.#log.isLeased(fact.organization_id)) return undefined
    return performance.now() - fact.readAt < longest ? fact.value : undefined
  }

  /** From PostgreSQL, whatever is remembered. */
  async refresh(key: string, read: () => Promise<Fact<Value> | undefined>): Promise<Value | undefined> {
    const started = this.#clock
    const startedAt = performance.now()
    this.#reading++
    try {
      const fact = await read()
      if (!fact) {
        this.#drop(key)
        return undefined
      }
      // What changes before an organization is followed would not be heard of.
      const organization = this.#log.organizations.get(fact.organization_id)
      if (!organization || organization.followedAt > startedAt) void this.#follow(fact.organization_id)
      else if (!this.#hasChanged(fact, started)) this.#remember(key, { ...fact, readAt: startedAt })
      return fact.value
    } finally {
      if (--this.#reading === 0) this.#changed.clear()
    }
  }

  async #follow(id: OrganizationId): Promise<void> {
    await this.#log.follow(id).catch(() => {})
  }

  #hasChanged(fact: Fact<Value>, started: number): boolean {
    return [subjectOf(fact), 'all' as const].some((about) => (this.#changed.get(about) ?? -1) >= started)
  }

  #remember(key: string, fact: Fact<Value> & { readAt: number }): void {
    this.#drop(key)
    if (this.#facts.size >= most) this.#drop(this.#facts.keys().next().value ?? '')
    this.#facts.set(key, fact)
    const subject = subjectOf(fact)
    const keys = this.#bySubject.get(subject) ?? new Set()
    this.#bySubject.set(subject, keys.add(key))
  }

  #forget(organization: OrganizationId, effect: Effect | 'all'): void {
    const about = whatChanged(organization, effect)
    if (about === undefined) return
    if (this.#reading > 0) this.#changed.set(about, this.#clock)
    this.#clock++
    if (about !== 'all') {
      for (const key of [...(this.#bySubject.get(about) ?? [])]) this.#drop(key)
      return
    }
    for (const [key, fact] of this.#facts) if (fact.organization_id === organization) this.#drop(key)
  }

  #drop(key: string): void {
    const fact = this.#facts.get(key)
    if (!fact) return
    this.#facts.delete(key)
    const subject = subjectOf(fact)
    const keys = this.#bySubject.get(subject)
    keys?.delete(key)
    if (keys?.size === 0) this.#bySubject.delete(subject)
  }
}

const subjectOf = ({ organization_id, user_id, subject }: Fact<unknown>): Subject =>
  subject === undefined ? user_id : `${organization_id} ${subject}`

/** Nothing is remembered here of queues and subscriptions. */
function whatChanged(organization: OrganizationId, effect: Effect | 'all'): Subject | 'all' | undefined {
  if (effect === 'all' || effect.kind === 'deactivation') return 'all'
  if (effect.kind === 'organization')
    return effect.subject === undefined ? 'all' : `${organization} ${effect.subject}`
  return 'user' in effect ? effect.user : undefined
}

/** A cache that every node has one of, declared where it is used. */
export function coherentCache<Value>(): (app: App) => CoherentCache<Value> {
  const caches = new WeakMap<App, CoherentCache<Value>>()
  return (app) => {
    const cache = caches.get(app) ?? new CoherentCache<Value>(app.events.log)
    caches.set(app, cache)
    return cache
  }
}
