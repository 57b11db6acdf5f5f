import { ApiError, type OrganizationId } from '@oxbow/contract'
import pg from 'pg'
import { connectionOptions, type Db } from '../../platform/database/database.ts'
import { lockKey } from '../../platform/database/locks.ts'
import { FailureLog } from '../../platform/failure-log.ts'
import type { Log } from '../../platform/log.ts'
import { InTurns } from '../delivery/in-turns.ts'
import type { Queue } from '../delivery/queue.ts'
import { Rounds } from '../delivery/rounds.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import type { Batch, Effect } from '../record.ts'
import { checkLineage, ensureLog, type Seen, stretchStarted } from '../sequencer/lineage.ts'
import { OrganizationLog } from './organization-log.ts'
import { findPlace, readBatches } from './read-log.ts'
import { Watch } from './watch.ts'

export interface EventLogOptions {
  databaseUrl: string
  db: Db
  log: Log
  metrics: EventMetrics
  windowBytes: number
  /** The sequencer may be had: look whether it can be this node. */
  onSequencerGone: () => void
  /** Whether this node is the sequencer. */
  leads: () => boolean
}

/** How long an answer from memory may be behind. */
const lease = 1_000
/** An organization that nobody asked for in this time is no longer followed. */
const followFor = 600_000

export type Forget = (organization: OrganizationId, effect: Effect | 'all') => void

/**
 * The log as this node follows it. Batches come from the carrier; a gap in the numbers, or a head that is ahead of
 * us, is read from PostgreSQL. So a carrier may lose anything, and nothing is lost.
 */
export class EventLog {
  readonly organizations = new Map<OrganizationId, OrganizationLog>()
  readonly #options: EventLogOptions
  readonly #connection: DirectConnection
  readonly #watch: Watch
  readonly #wake: InTurns<Queue>
  readonly #rounds: Rounds
  readonly #onFault: (error: unknown) => void
  readonly #failures: FailureLog
  readonly #forgetters = new Set<Forget>()
  readonly #starting = new Map<OrganizationId, Promise<OrganizationLog>>()
  readonly #behind = new Set<OrganizationLog>()
  #reading: Promise<void> | undefined
  /** How the database identifies itself. */
  #system = ''
  #checking: Promise<void> | undefined

  constructor(options: EventLogOptions) {
    this.#options = options
    this.#onFault = (err) => options.log.error({ err }, 'an event could not be delivered')
    this.#failures = new FailureLog(options.log, {
      failed: 'events could not be read from PostgreSQL; the next look tries again',
      recovered: 'events are read from PostgreSQL again',
    })
    this.#wake = new InTurns((queue) => queue.listener?.wake(), this.#onFault)
    this.#rounds = new Rounds(this.#wake, () => this.#countListening())
    this.#connection = new DirectConnection(options.databaseUrl, 'oxbow log', options.log)
    this.#connection.onConnect = async (client) => {
      this.#system = await ensureLog(client)
    }
    this.#watch = new Watch({
      connection: this.#connection,
      organizations: this.organizations,
      metrics: options.metrics,
      log: options.log,
      leads: options.leads,
      lock: lockKey('sequencer'),
      onBehind: (organization) => this.#catchUp(organization),
      onSequencerGone: options.onSequencerGone,
      onRolledBack: () => {
        this.#checking ??= this.#checkLineage().finally(() => {
          this.#checking = undefined
        })
      },
      onCutOff: () => this.#cutOff(),
    })
  }

  async start(): Promise<void> {
    await this.#connection.start()
    this.#watch.start()
  }

  async stop(): Promise<void> {
    this.#watch.stop()
    this.#rounds.stop()
    await this.#checking
    await this.#reading
    await this.#connection.stop()
  }

  /** How far this node has followed each organization: a database that has less was rolled back. */
  seen(): Seen[] {
    return [...this.organizations.values()].map(({ id, position }) => ({
      organization_id: id,
      last_seq: position,
    }))
  }

  /** In a session of its own, because it needs a transaction. */
  async #checkLineage(): Promise<void> {
    const client = new pg.Client(connectionOptions(this.#options.databaseUrl))
    client.on('error', () => {})
    try {
      await client.connect()
      const holes = await checkLineage(client, this.seen())
      if (holes.length > 0) this.#options.log.warn(stretchStarted)
    } catch (err) {
      this.#options.log.debug({ err }, 'the database could not be checked; the next look tries again')
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Whether PostgreSQL has been away for so long that whoever asks is better served elsewhere. */
  get isCutOff(): boolean {
    return this.#watch.isCutOff
  }

  /** Whoever waits here waits for nothing. */
  #cutOff(): void {
    this.#options.log.error(
      'PostgreSQL has not answered for five seconds; this node answers 503 until it does',
    )
    for (const { listening } of this.organizations.values()) {
      for (const { listener } of listening) listener?.end(new ApiError('SERVICE_UNAVAILABLE'))
    }
  }

  /** What tells this log from those of other databases. */
  async id(): Promise<string> {
    const [row] = await this.#connection.query<{ id: string }>('select id from event_log')
    // A copy has the same id until it begins anew, and is another database all the same.
    return `${row?.id}-${this.#system.replace('/', '-')}`
  }

  /** Follows the organization from now on, if it does not yet. */
  async follow(id: OrganizationId): Promise<OrganizationLog> {
    const known = this.organizations.get(id)
    if (known) {
      known.usedAt = performance.now()
      return known
    }
    const starting = this.#starting.get(id) ?? this.#begin(id).finally(() => this.#starting.delete(id))
    this.#starting.set(id, starting)
    return starting
  }

  async #begin(id: OrganizationId): Promise<OrganizationLog> {
    const place = await findPlace(this.#options.db, id)
    const forget = (effect: Effect | 'all') => this.forget(id, effect)
    const organization = new OrganizationLog({
      id,
      ...place,
      db: this.#options.db,
      wake: this.#wake,
      rounds: this.#rounds,
      forget,
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

  /** Whether memory may be trusted: the position was the newest less than a second ago. */
  isLeased(id: OrganizationId): boolean {
    const organization = this.organizations.get(id)
    return organization !== undefined && performance.now() - organization.confirmedAt < lease
  }

  /** Tells whoever remembers something when it changes. */
  onForget(forget: Forget): void {
    this.#forgetters.add(forget)
  }

  forget(id: OrganizationId, effect: Effect | 'all'): void {
    for (const forget of this.#forgetters) forget(id, effect)
  }

  /** For whoever changed rows behind the server's back. */
  forgetAll(): void {
    for (const id of this.organizations.keys()) this.forget(id, 'all')
  }

  receive(batches: readonly Batch[]): void {
    for (const batch of batches) {
      const organization = this.organizations.get(batch.organization_id)
      if (organization && !organization.receive(batch)) this.#catchUp(organization)
    }
    this.#makeRoom()
  }

  hint(id?: OrganizationId, last_seq = Number.POSITIVE_INFINITY): void {
    if (id === undefined) {
      for (const organization of this.organizations.values()) this.#catchUp(organization)
      return
    }
    const organization = this.organizations.get(id)
    if (organization && last_seq > organization.position) this.#catchUp(organization)
  }

  /** Reads everything that is committed by now. */
  async catchUp(organization: OrganizationLog): Promise<void> {
    // What is being read may have begun before now.
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

  /** All organizations that are behind in one statement, again until none is. */
  async #readAll(): Promise<void> {
    try {
      while (this.#behind.size > 0) {
        const asked = [...this.#behind]
        this.#behind.clear()
        this.#options.metrics.catchUps.inc()
        const { batches, isWhole } = await readBatches(this.#connection, asked)
        const failed = this.#receiveRead(batches)
        this.#makeRoom()
        if (failed.size === 0) this.#failures.succeeded()
        if (isWhole) continue
        for (const organization of asked) if (!failed.has(organization)) this.#behind.add(organization)
      }
    } catch (err) {
      this.#failures.failed(err)
    }
  }

  /** Returns the organizations that have a batch which cannot be read; the batches of the others are received. */
  #receiveRead(batches: readonly Batch[]): Set<OrganizationLog> {
    const failed = new Set<OrganizationLog>()
    for (const batch of batches) {
      const organization = this.organizations.get(batch.organization_id)
      if (!organization || failed.has(organization)) continue
      try {
        // What PostgreSQL returns has no gaps but those of what it no longer has.
        if (batch.records !== null) organization.skipTo(batch.first_seq)
        organization.receive(batch)
      } catch (err) {
        failed.add(organization)
        this.#failures.failed(err, { organization_id: organization.id, last_seq: batch.last_seq })
      }
    }
    return failed
  }

  /** The windows of all organizations together stay below the limit; the largest gives first. */
  #makeRoom(): void {
    const windows = [...this.organizations.values()].map(({ window }) => window)
    let total = windows.reduce((sum, { bytes }) => sum + bytes, 0)
    while (total > this.#options.windowBytes) {
      const largest = windows.reduce((most, each) => (each.bytes > most.bytes ? each : most))
      const freed = largest.dropOldest()
      if (freed === 0) return
      total -= freed
    }
  }

  /** Lets go of what nobody uses: queues that are polled elsewhere, organizations that nobody asks for. */
  sweep(idleQueueAfter: number): void {
    const now = performance.now()
    for (const organization of this.organizations.values()) {
      for (const queue of organization.queues.values()) {
        const isIdle = !queue.listener && queue.streams === 0 && now - queue.seenAt > idleQueueAfter
        if (isIdle) organization.detach(queue)
      }
      if (organization.queues.size === 0 && now - organization.usedAt > followFor) {
        this.organizations.delete(organization.id)
        this.forget(organization.id, 'all')
      }
    }
  }
}
