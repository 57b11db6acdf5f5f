import type { OrganizationId } from '@oxbow/contract'
import { FailureLog } from '../../platform/failure-log.ts'
import type { Log } from '../../platform/log.ts'
import type { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import { isOwnLog } from '../sequencer/lineage.ts'
import { newestOutboxId } from '../sequencer/take-batches.ts'
import type { OrganizationLog } from './organization-log.ts'

export interface WatchOptions {
  connection: DirectConnection
  organizations: ReadonlyMap<OrganizationId, OrganizationLog>
  metrics: EventMetrics
  log: Log
  leads: () => boolean
  lock: bigint
  onBehind: (organization: OrganizationLog) => void
  onSequencerGone: () => void
  /** The database is not the one that the log was followed in, or has less than this node has seen. */
  onRolledBack: () => void
  /** PostgreSQL has not answered for a while. */
  onCutOff: () => void
}

interface Seen {
  /** The newest id that the outbox gave out, and the oldest of its rows that are left. */
  newest: number
  oldest: number | null
  /** False after a failover or a restart, until holes were left where numbers may have been lost. */
  isOwn: boolean
  heads: [id: OrganizationId, last_seq: number, dropped_seq: number][] | null
}

const every = 300
/** After this long without an answer of PostgreSQL, other nodes serve better than this one. */
const cutOffAfter = 5_000
const pulse = 500
/** How long the oldest row may stand still before the sequencer is taken to be stuck. */
const patience = { first: 1_600, longest: 60_000 }

/**
 * Looks at the heads and at the outbox. It finds what the carrier lost, a sequencer that stands still, and when the
 * node's memory is known to be up to date: if every row that the outbox had at the last look is gone at this one, then
 * whoever has reached the heads of this look knows everything that was committed before the last.
 */
export class Watch {
  readonly #options: WatchOptions
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #last: { newest: number; at: number } | undefined
  #stuck: { oldest: number; since: number } | undefined
  #patience = patience.first
  #lastAnswer = 0
  #lastPulse = 0
  #pulse: NodeJS.Timeout | undefined
  readonly #failures: FailureLog
  isCutOff = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#failures = new FailureLog(options.log, {
      failed: 'the heads of the event log could not be read',
      recovered: 'the heads of the event log are read again',
    })
  }

  start(): void {
    this.#lastAnswer = this.#lastPulse = performance.now()
    this.#pulse = setInterval(() => this.#judgeDatabase(), pulse)
    this.#lookSoon()
  }

  #lookSoon(): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.#look()
        this.#failures.succeeded()
      } catch (err) {
        // Nothing is confirmed, and what was, runs out.
        this.#last = undefined
        if (!this.#isStopped) this.#failures.failed(err)
      }
      if (!this.#isStopped) this.#lookSoon()
    }, every)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#pulse)
  }

  /** A process that was stopped for a while is no sign that PostgreSQL was. */
  #judgeDatabase(): void {
    const now = performance.now()
    const standstill = now - this.#lastPulse - pulse
    if (standstill > pulse) this.#lastAnswer += standstill
    this.#lastPulse = now
    const wasCutOff = this.isCutOff
    this.isCutOff = now - this.#lastAnswer > cutOffAfter
    if (this.isCutOff && !wasCutOff) this.#options.onCutOff()
  }

  async #look(): Promise<void> {
    const { connection, organizations, metrics, onBehind, onRolledBack } = this.#options
    const at = performance.now()
    // Positions as of now: batches that arrive while the query runs may be newer than its answer.
    const positions = new Map([...organizations].map(([id, { position }]) => [id, position]))
    const [seen] = await connection.query<Seen>(
      `select ${newestOutboxId} as newest,
         (select min(id) from outbox where id > (select outbox_floor from event_log)) as oldest,
         (select ${isOwnLog} from event_log) as "isOwn",
         (select json_agg(json_build_array(organization_id, last_seq, dropped_seq))
          from event_head where organization_id = any($1)) as heads`,
      [[...positions.keys()]],
    )
    if (!seen) return
    this.#lastAnswer = performance.now()
    this.isCutOff = false
    const isConfirmed = this.#last && seen.isOwn && (seen.oldest === null || seen.oldest > this.#last.newest)
    const isBehind = (seen.heads ?? []).some(([id, head]) => head < (positions.get(id) ?? 0))
    if (isBehind || !seen.isOwn) onRolledBack()
    for (const [id, head, dropped] of seen.heads ?? []) {
      const organization = organizations.get(id)
      if (!organization) continue
      organization.dropped = Math.max(organization.dropped, dropped)
      if (isConfirmed && this.#last) organization.confirm(head, this.#last.at)
      if (head > organization.position) onBehind(organization)
    }
    this.#last = { newest: seen.newest, at }
    metrics.outboxDepth.set(seen.oldest === null ? 0 : seen.newest - seen.oldest + 1)
    await this.#judgeSequencer(seen.oldest, at)
  }

  /** A process that stopped without dying keeps its session, and with it the lock. */
  async #judgeSequencer(oldest: number | null, now: number): Promise<void> {
    const { metrics, leads, log, connection, lock, onSequencerGone } = this.#options
    if (oldest === null || this.#stuck?.oldest !== oldest) {
      this.#stuck = oldest === null ? undefined : { oldest, since: now }
      this.#patience = patience.first
      metrics.outboxAge.set(0)
      return
    }
    const age = now - this.#stuck.since
    metrics.outboxAge.set(age / 1000)
    // One's own sequencer is not stuck but slow; others may judge it.
    if (age < this.#patience || leads()) return
    // Should it be slow for a reason that we have too, taking turns ever faster would help nobody.
    this.#patience = Math.min(this.#patience * 2, patience.longest)
    this.#stuck.since = now
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
