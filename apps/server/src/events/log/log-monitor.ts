import type { OrganizationId } from '@oxbow/contract'
import { defaultDatabaseTimeoutMs } from '../../platform/database/database.ts'
import { isStandbyError } from '../../platform/database/database-unavailable.ts'
import type { Log } from '../../platform/observe/log.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import type { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import { isLineageIntact } from '../sequencer/lineage.ts'
import { newestOutboxId } from '../sequencer/take-batches.ts'
import type { OrganizationLog } from './organization-log.ts'

export interface LogMonitorOptions {
  connection: DirectConnection
  organizations: ReadonlyMap<OrganizationId, OrganizationLog>
  metrics: EventMetrics
  log: Log
  isSequencer: () => boolean
  lock: bigint
  onBehind: (organization: OrganizationLog) => void
  onSequencerGone: () => void
  /** Called when the lineage of the database changed, or its sequence numbers are below those this node has seen. */
  onRolledBack: () => void
  /** Called once per outage, when PostgreSQL has not answered for `cutOffAfterMs`. */
  onCutOff: () => void
  /** After this long without a response of PostgreSQL, clients are sent to other nodes. */
  cutOffAfterMs?: number | undefined
}

interface HeadsRow {
  /** The newest assigned outbox id. */
  newest: number
  /** The outbox id of the oldest row; null if the outbox is empty. */
  oldest: number | null
  /** False after a failover or a restart of PostgreSQL, until numbers that may be lost have become holes. */
  isLineageIntact: boolean
  heads: [id: OrganizationId, last_seq: number, dropped_seq: number][] | null
}

const intervalMs = 300
const pulseMs = 500
/**
 * The sequencer is regarded as stuck if the same outbox row is the oldest for this long. The time doubles
 * after each takeover.
 */
const stuckAfterMs = { first: 1_600, max: 60_000 }

/**
 * Reads the heads and the outbox from PostgreSQL every `intervalMs`. This finds batches that the carrier
 * lost, a stuck sequencer and a database that was rolled back. It also shows how fresh the node is: if every
 * outbox row of the previous read is gone, then a node that has caught up to the current heads has seen every
 * commit made before the previous read.
 */
export class LogMonitor {
  readonly #options: LogMonitorOptions
  readonly #cutOffAfterMs: number
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #lastRead: { newest: number; at: number } | undefined
  /** The oldest outbox row, since when this node has seen it, and when it last ended the sequencer's session. */
  #stuck: { oldest: number; since: number; takeoverAt: number } | undefined
  #stuckAfterMs = stuckAfterMs.first
  #lastAnswer = 0
  #lastPulse = 0
  #pulse: NodeJS.Timeout | undefined
  readonly #failures: FailureLog
  isCutOff = false
  /** Whether PostgreSQL answered the last read as a standby, whose event log cannot be read. */
  isStandby = false
  /** Milliseconds for which this node has seen the same oldest outbox row; 0 if the outbox is empty. */
  outboxAgeMs = 0

  constructor(options: LogMonitorOptions) {
    this.#options = options
    this.#cutOffAfterMs = options.cutOffAfterMs ?? defaultDatabaseTimeoutMs
    this.#failures = new FailureLog(options.log, {
      failed: 'the heads of the event log could not be read',
      recovered: 'the heads of the event log are read again',
    })
  }

  start(): void {
    this.#lastAnswer = this.#lastPulse = performance.now()
    this.#pulse = setInterval(() => this.#checkDatabase(), pulseMs)
    this.#scheduleRead()
  }

  #scheduleRead(): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.#readHeads()
        this.#failures.succeeded()
      } catch (err) {
        // Without a successful read no position is confirmed, so leases expire.
        this.#lastRead = undefined
        this.isStandby = isStandbyError(err)
        if (!this.#isStopped) this.#failures.failed(err)
      }
      if (!this.#isStopped) this.#scheduleRead()
    }, intervalMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#pulse)
  }

  /** Checks how long PostgreSQL has been silent. Ignores time in which this process itself was suspended. */
  #checkDatabase(): void {
    const now = performance.now()
    const suspendedMs = now - this.#lastPulse - pulseMs
    if (suspendedMs > pulseMs) this.#lastAnswer += suspendedMs
    this.#lastPulse = now
    const wasCutOff = this.isCutOff
    this.isCutOff = now - this.#lastAnswer > this.#cutOffAfterMs
    if (this.isCutOff && !wasCutOff) this.#options.onCutOff()
  }

  async #readHeads(): Promise<void> {
    const { connection, organizations, metrics, onBehind, onRolledBack } = this.#options
    const at = performance.now()
    // The positions are read before the query, because batches that arrive during the query may be newer than
    // its result.
    const positions = new Map([...organizations].map(([id, { position }]) => [id, position]))
    const [observed] = await connection.query<HeadsRow>(
      `select ${newestOutboxId} as newest,
         (select min(id) from outbox where id > (select outbox_floor from event_log)) as oldest,
         (select ${isLineageIntact} from event_log) as "isLineageIntact",
         (select json_agg(json_build_array(organization_id, last_seq, dropped_seq))
          from event_head where organization_id = any($1)) as heads`,
      [[...positions.keys()]],
    )
    if (!observed) return
    this.#lastAnswer = performance.now()
    this.isCutOff = false
    this.isStandby = false
    const isConfirmed =
      this.#lastRead &&
      observed.isLineageIntact &&
      (observed.oldest === null || observed.oldest > this.#lastRead.newest)
    const isDatabaseBehind = (observed.heads ?? []).some(([id, head]) => head < (positions.get(id) ?? 0))
    if (isDatabaseBehind || !observed.isLineageIntact) onRolledBack()
    for (const [id, head, dropped] of observed.heads ?? []) {
      const organization = organizations.get(id)
      if (!organization) continue
      organization.droppedTo = Math.max(organization.droppedTo, dropped)
      if (isConfirmed && this.#lastRead) organization.confirmHead(head, this.#lastRead.at)
      if (head > organization.position) onBehind(organization)
    }
    this.#lastRead = { newest: observed.newest, at }
    metrics.outboxDepth.set(observed.oldest === null ? 0 : observed.newest - observed.oldest + 1)
    await this.#checkSequencer(observed.oldest, at)
  }

  /**
   * Ends the session of a stuck sequencer, because a suspended process would keep its session and therefore
   * the lock.
   */
  async #checkSequencer(oldest: number | null, now: number): Promise<void> {
    const { metrics, isSequencer, log, connection, lock, onSequencerGone } = this.#options
    if (oldest === null || this.#stuck?.oldest !== oldest) {
      this.#stuck = oldest === null ? undefined : { oldest, since: now, takeoverAt: now }
      this.#stuckAfterMs = stuckAfterMs.first
      metrics.outboxAge.set(0)
      this.outboxAgeMs = 0
      return
    }
    const age = now - this.#stuck.since
    metrics.outboxAge.set(age / 1000)
    this.outboxAgeMs = age
    // If this node is the sequencer, the sequencer is slow but not stuck, because this code runs.
    if (now - this.#stuck.takeoverAt < this.#stuckAfterMs || isSequencer()) return
    // If the sequencer is slow for a reason that affects all nodes, frequent takeovers would only make it
    // slower.
    this.#stuckAfterMs = Math.min(this.#stuckAfterMs * 2, stuckAfterMs.max)
    this.#stuck.takeoverAt = now
    const ended = await connection.query(
      `select pid, pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and granted and objsubid = 1
         and database = (select oid from pg_database where datname = current_database())
         and classid = $1::bigint::oid and objid = $2::bigint::oid and pid <> pg_backend_pid()`,
      [(lock >> 32n).toString(), (lock & 0xffffffffn).toString()],
    )
    if (ended.length > 0) log.warn('the sequencer stood still; this node ended its session')
    onSequencerGone()
  }
}
