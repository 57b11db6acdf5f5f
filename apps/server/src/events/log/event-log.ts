import { ApiError, type OrganizationId } from '@oxbow/contract'
import pg from 'pg'
import { connectionOptions, type Db } from '../../platform/database/database.ts'
import { lockKey } from '../../platform/database/locks.ts'
import type { Log } from '../../platform/observe/log.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import { DeferredWakeups } from '../delivery/deferred-wakeups.ts'
import type { Queue } from '../delivery/queue.ts'
import { YieldingQueue } from '../delivery/yielding-queue.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import type { Batch, Effect } from '../record.ts'
import { checkLineage, ensureLog, epochStartedMessage, type FollowedPosition } from '../sequencer/lineage.ts'
import { LogMonitor } from './log-monitor.ts'
import { OrganizationLog } from './organization-log.ts'
import { findLogState, readBatches } from './read-log.ts'

export interface EventLogOptions {
  databaseUrl: string
  db: Db
  log: Log
  metrics: EventMetrics
  /** Maximum memory for the recent records of all organizations together. */
  maxRecentBytes: number
  /** Called when the sequencer's lock may be free, so that this node tries to get it. */
  onSequencerGone: () => void
  /** Whether this node is the sequencer. */
  isSequencer: () => boolean
  /** How long PostgreSQL may stay silent before clients are sent to other nodes. */
  databaseTimeoutMs?: number | undefined
}

/** Maximum age of cached data that a node may return. */
export const leaseMs = 1_000
/** An organization that was not used for this long, and has no queue on this node, is no longer followed. */
const maxIdleMs = 600_000

export type InvalidationListener = (organization: OrganizationId, effect: Effect | 'all') => void

/**
 * Follows the logs of the organizations that are used on this node. Batches come from the carrier. Missing
 * batches are read from PostgreSQL whenever there is a gap in the numbers, or a head in the database is ahead
 * of this node.
 */
export class EventLog {
  /** The organizations that this node follows now. */
  readonly organizations = new Map<OrganizationId, OrganizationLog>()
  readonly #options: EventLogOptions
  readonly #connection: DirectConnection
  readonly #monitor: LogMonitor
  readonly #wake: YieldingQueue<Queue>
  readonly #rounds: DeferredWakeups
  readonly #onFault: (error: unknown) => void
  readonly #failures: FailureLog
  readonly #invalidationListeners = new Set<InvalidationListener>()
  readonly #starting = new Map<OrganizationId, Promise<OrganizationLog>>()
  readonly #behind = new Set<OrganizationLog>()
  #reading: Promise<void> | undefined
  /** Identity of the database, from `ensureLog`. */
  #systemId = ''
  #checking: Promise<void> | undefined

  constructor(options: EventLogOptions) {
    this.#options = options
    this.#onFault = (err) => options.log.error({ err }, 'an event could not be delivered')
    this.#failures = new FailureLog(options.log, {
      failed: 'events could not be read from PostgreSQL; will be retried',
      recovered: 'events are read from PostgreSQL again',
    })
    this.#wake = new YieldingQueue((queue) => queue.listener?.wake(), this.#onFault)
    this.#rounds = new DeferredWakeups(this.#wake, () => this.#countListening())
    const { databaseUrl, log, databaseTimeoutMs } = options
    this.#connection = new DirectConnection(databaseUrl, 'oxbow log', log, databaseTimeoutMs)
    this.#connection.onConnect = async (client) => {
      this.#systemId = await ensureLog(client)
    }
    this.#monitor = new LogMonitor({
      connection: this.#connection,
      organizations: this.organizations,
      metrics: options.metrics,
      log: options.log,
      isSequencer: options.isSequencer,
      lock: lockKey('sequencer'),
      onBehind: (organization) => this.#catchUp(organization),
      onSequencerGone: options.onSequencerGone,
      onRolledBack: () => {
        this.#checking ??= this.#checkLineage().finally(() => {
          this.#checking = undefined
        })
      },
      onCutOff: () => this.#cutOff(),
      cutOffAfterMs: options.databaseTimeoutMs,
    })
  }

  async start(): Promise<void> {
    await this.#connection.start()
    this.#monitor.start()
  }

  async stop(): Promise<void> {
    this.#monitor.stop()
    this.#rounds.stop()
    await this.#checking
    await this.#reading
    await this.#connection.stop()
  }

  /** Returns the position of each organization. A database with lower numbers was rolled back. */
  followedPositions(): FollowedPosition[] {
    return [...this.organizations.values()].map(({ id, position }) => ({
      organization_id: id,
      last_seq: position,
    }))
  }

  /** Checks the lineage in a separate session, because the check needs a transaction. */
  async #checkLineage(): Promise<void> {
    const client = new pg.Client(connectionOptions(this.#options.databaseUrl))
    client.on('error', () => {})
    try {
      await client.connect()
      const holes = await checkLineage(client, this.followedPositions())
      if (holes.length > 0) this.#options.log.warn(epochStartedMessage)
      this.receive(holes)
    } catch (err) {
      this.#options.log.debug({ err }, 'the lineage of the database could not be checked; will be retried')
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Milliseconds for which this node has seen the same oldest outbox row; 0 if the outbox is empty. */
  get outboxAgeMs(): number {
    return this.#monitor.outboxAgeMs
  }

  /** Whether PostgreSQL has not answered for so long that clients should use another node. */
  get isCutOff(): boolean {
    return this.#monitor.isCutOff
  }

  /** Whether PostgreSQL is a standby, so that this log cannot be read. */
  get isStandby(): boolean {
    return this.#monitor.isStandby
  }

  /** Ends all polls and event streams, because this node cannot learn of new events. */
  #cutOff(): void {
    this.#options.log.error(
      'PostgreSQL has not answered for five seconds; this node answers 503 until it does',
    )
    for (const { listening } of this.organizations.values()) {
      for (const { listener } of listening) listener?.end(new ApiError('SERVICE_UNAVAILABLE'))
    }
  }

  /** Returns an id that distinguishes this log from those of other databases. */
  async id(): Promise<string> {
    const [row] = await this.#connection.query<{ id: string }>('select id from event_log')
    // A copied database has the same id until its log is reset, so the identity of the database is added.
    return `${row?.id}-${this.#systemId.replace('/', '-')}`
  }

  /**
   * Starts to follow the organization if this node does not yet. Also records that the organization is in
   * use.
   */
  async follow(id: OrganizationId): Promise<OrganizationLog> {
    const cached = this.organizations.get(id)
    if (cached) {
      cached.usedAt = performance.now()
      return cached
    }
    const starting =
      this.#starting.get(id) ?? this.#startFollowing(id).finally(() => this.#starting.delete(id))
    this.#starting.set(id, starting)
    return starting
  }

  async #startFollowing(id: OrganizationId): Promise<OrganizationLog> {
    const logState = await findLogState(this.#options.db, id)
    const invalidate = (effect: Effect | 'all') => this.invalidate(id, effect)
    const organization = new OrganizationLog({
      id,
      ...logState,
      db: this.#options.db,
      wake: this.#wake,
      rounds: this.#rounds,
      invalidate,
      onFault: this.#onFault,
    })
    this.organizations.set(id, organization)
    return organization
  }

  #countListening(): number {
    let count = 0
    for (const { listening } of this.organizations.values()) count += listening.size
    return count
  }

  /**
   * Whether cached data of the organization may be returned: its position was known to be the newest less
   * than `leaseMs` ago.
   */
  isLeased(id: OrganizationId): boolean {
    const organization = this.organizations.get(id)
    return organization !== undefined && performance.now() - organization.confirmedAt < leaseMs
  }

  /** Registers a cache, which is called with every effect, in the order of the log. */
  onInvalidate(listener: InvalidationListener): void {
    this.#invalidationListeners.add(listener)
  }

  invalidate(id: OrganizationId, effect: Effect | 'all'): void {
    for (const listener of this.#invalidationListeners) listener(id, effect)
  }

  /** Invalidates all caches of this node, after rows were changed without records in the log. */
  invalidateAll(): void {
    for (const id of this.organizations.keys()) this.invalidate(id, 'all')
  }

  /**
   * Applies batches from the carrier. If a batch does not continue the log, reads the missing batches from
   * PostgreSQL.
   */
  receive(batches: readonly Batch[]): void {
    for (const batch of batches) {
      const organization = this.organizations.get(batch.organization_id)
      if (organization && !organization.receive(batch)) this.#catchUp(organization)
    }
    this.#trimRecentRecords()
  }

  /**
   * Catches up with PostgreSQL if the organization is behind `last_seq`; without `id`, does so for all
   * organizations.
   */
  hint(id?: OrganizationId, last_seq = Number.POSITIVE_INFINITY): void {
    if (id === undefined) {
      for (const organization of this.organizations.values()) this.#catchUp(organization)
      return
    }
    const organization = this.organizations.get(id)
    if (organization && last_seq > organization.position) this.#catchUp(organization)
  }

  /**
   * Reads every batch that is committed by now. Resolves even if the read failed, so callers must check the
   * position.
   */
  async catchUp(organization: OrganizationLog): Promise<void> {
    // A read in flight may have begun before the newest commit.
    await this.#reading
    this.#catchUp(organization)
    await this.#reading
  }

  #catchUp(organization: OrganizationLog): void {
    this.#behind.add(organization)
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
  }

  /**
   * Reads batches for all organizations that are behind, in one statement, and repeats this until none is
   * behind.
   */
  async #readAll(): Promise<void> {
    try {
      while (this.#behind.size > 0) {
        const lagging = [...this.#behind]
        this.#behind.clear()
        this.#options.metrics.catchUps.inc()
        const { batches, isWhole } = await readBatches(this.#connection, lagging)
        const failed = this.#receiveRead(batches)
        this.#trimRecentRecords()
        if (failed.size === 0) this.#failures.succeeded()
        if (isWhole) continue
        for (const organization of lagging) if (!failed.has(organization)) this.#behind.add(organization)
      }
    } catch (err) {
      this.#failures.failed(err)
    }
  }

  /**
   * Applies batches read from PostgreSQL. Returns the organizations with a batch that could not be
   * parsed.
   */
  #receiveRead(batches: readonly Batch[]): Set<OrganizationLog> {
    const failed = new Set<OrganizationLog>()
    for (const batch of batches) {
      const organization = this.organizations.get(batch.organization_id)
      if (!organization || failed.has(organization)) continue
      try {
        // A gap between the batches that PostgreSQL returns means that the missing ones were dropped.
        if (batch.records !== null) organization.skipTo(batch.first_seq)
        organization.receive(batch)
      } catch (err) {
        failed.add(organization)
        this.#failures.failed(err, { organization_id: organization.id, last_seq: batch.last_seq })
      }
    }
    return failed
  }

  /**
   * Drops the oldest recent records of the organizations that take most memory, until all together
   * fit into `maxRecentBytes`.
   */
  #trimRecentRecords(): void {
    const recordLists = [...this.organizations.values()].map(({ recentRecords }) => recentRecords)
    let total = recordLists.reduce((sum, { bytes }) => sum + bytes, 0)
    while (total > this.#options.maxRecentBytes) {
      const largest = recordLists.reduce((max, recent) => (recent.bytes > max.bytes ? recent : max))
      const freed = largest.dropOldest()
      if (freed === 0) return
      total -= freed
    }
  }

  /**
   * Detaches queues that were not polled here for `idleQueueAfterMs`, and unfollows unused
   * organizations.
   */
  sweep(idleQueueAfterMs: number): void {
    const now = performance.now()
    for (const organization of this.organizations.values()) {
      for (const queue of organization.queues.values()) {
        const isIdle = !queue.listener && queue.openStreamCount === 0 && now - queue.seenAt > idleQueueAfterMs
        if (isIdle) organization.detach(queue)
      }
      if (organization.queues.size === 0 && now - organization.usedAt > maxIdleMs) {
        this.organizations.delete(organization.id)
        this.invalidate(organization.id, 'all')
      }
    }
  }
}
