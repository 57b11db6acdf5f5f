import type { Config } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/observe/log.ts'
import type { Carrier, Receiver } from './carriers/carrier.ts'
import { PostgresCarrier } from './carriers/postgres.ts'
import { NarrowFilters } from './delivery/narrow.ts'
import { EventRenderer } from './delivery/render.ts'
import { commitListeners } from './emit.ts'
import type { EventShape } from './event-shape.ts'
import { faults } from './faults.ts'
import { EventLog } from './log/event-log.ts'
import type { EventMetrics } from './metrics.ts'
import { QueueKeeper } from './queue-keeper.ts'
import type { Batch, Emission } from './record.ts'
import { Sequencer } from './sequencer/sequencer.ts'

declare module '../platform/app.ts' {
  interface App {
    readonly events: EventSystem
  }
}

export interface EventSystemOptions {
  config: Config
  db: Db
  log: Log
  metrics: EventMetrics
  shapes: readonly EventShape[]
  /** Returns a keyed hash, with the same key on all nodes. */
  hash: (text: string) => Buffer
  /** How long PostgreSQL may stay silent before clients are sent to other nodes. */
  databaseTimeoutMs?: number | undefined
}

/**
 * The log is kept this much longer than the lifespan of queues, because the last poll of a queue may come
 * late.
 */
const retentionMarginSeconds = 600
/**
 * The log is kept this long even if no queue needs it, for queues that are polled without acknowledging
 * events.
 */
const defaultRetentionSeconds = 86_400

/**
 * Runs the event log on a node: follows the log, exchanges batches with other nodes, expires queues, and
 * numbers events while this node is the sequencer.
 */
export class EventSystem {
  readonly log: EventLog
  readonly renderer: EventRenderer
  readonly narrows: NarrowFilters
  readonly metrics: EventMetrics
  readonly #options: EventSystemOptions
  readonly #sequencer: Sequencer
  readonly #keeper: QueueKeeper
  #carrier: Carrier | undefined
  #pokedAt: number | undefined

  constructor(options: EventSystemOptions) {
    const { config, db, log, metrics, databaseTimeoutMs } = options
    this.#options = options
    this.metrics = metrics
    metrics.logLimit.set(config.events_log_limit_mb * 1_048_576)
    this.renderer = new EventRenderer(db, options.shapes)
    this.narrows = new NarrowFilters(options.shapes)
    const maxLifespanSeconds = Math.max(config.queue_lifespan_limit_seconds, config.queue_lifespan_seconds)
    this.#sequencer = new Sequencer({
      databaseUrl: config.database_url,
      retention: {
        minSeconds: Math.min(maxLifespanSeconds, defaultRetentionSeconds) + retentionMarginSeconds,
        maxSeconds: maxLifespanSeconds + retentionMarginSeconds,
        marginSeconds: retentionMarginSeconds,
        maxBytes: config.events_log_limit_mb * 1_048_576,
      },
      log,
      metrics,
      followedPositions: () => this.log.followedPositions(),
      announce: (batches) => this.#announce(batches),
      databaseTimeoutMs,
    })
    this.log = new EventLog({
      databaseUrl: config.database_url,
      db,
      log,
      metrics,
      maxRecentBytes: config.recent_events_mb * 1_048_576,
      onSequencerGone: () => this.#sequencer.poke(),
      isSequencer: () => this.leads,
      databaseTimeoutMs,
    })
    this.#keeper = new QueueKeeper({
      db,
      eventLog: this.log,
      metrics,
      log,
      lifespanSeconds: config.queue_lifespan_seconds,
      sequencerSince: () => this.#sequencer.sequencerSince,
    })
  }

  /** Whether this node is the sequencer, which numbers events. */
  get leads(): boolean {
    return this.#sequencer.sequencerSince !== undefined
  }

  /** Starts to follow the log. The node does not number events before `competeForSequencer` is called. */
  async start(): Promise<void> {
    await this.log.start()
    const carrier = await this.#makeCarrier()
    await carrier.start(this.#receiver())
    this.#carrier = carrier
    await this.#sequencer.connect()
    this.#keeper.start()
    commitListeners.set(this.#options.db, (emissions) => this.#onCommit(emissions))
  }

  /**
   * Lets this node become the sequencer from now on. Called last, so that a node that fails to start never
   * numbers events.
   */
  competeForSequencer(): void {
    this.#sequencer.run()
  }

  async stop(): Promise<void> {
    commitListeners.delete(this.#options.db)
    await this.#keeper.stop()
    await this.#sequencer.stop()
    await this.#carrier?.stop()
    await this.log.stop()
  }

  /**
   * Ends every waiting poll and event stream of this node without events, so that clients reconnect to other
   * nodes.
   */
  releaseListeners(): void {
    for (const organization of this.log.organizations.values()) {
      for (const queue of organization.listening) queue.listener?.end()
    }
  }

  /**
   * Invalidates caches of this node right after a commit, before the record arrives through the log, so that
   * a caller reads its own changes. Never fails, because the change is already committed; the record in the
   * log invalidates the same entries again.
   */
  #onCommit(emissions: readonly Emission[]): void {
    try {
      for (const { organization_id, effects = [] } of emissions) {
        for (const effect of effects) this.log.invalidate(organization_id, effect)
      }
      this.poke()
    } catch (err) {
      this.#options.log.error({ err }, 'a committed change was not announced at once')
    }
  }

  /** Wakes the sequencer, which may be on any node, because the outbox may have new rows. */
  poke(): void {
    this.#pokedAt ??= performance.now()
    if (this.leads) this.#sequencer.poke()
    else this.#carrier?.poke()
  }

  async #makeCarrier(): Promise<Carrier> {
    const { config, log, hash, databaseTimeoutMs } = this.#options
    if (!config.nats_url) return new PostgresCarrier(config.database_url, log, databaseTimeoutMs)
    // Loaded on demand: only deployments with several nodes use NATS, and the library needs much memory.
    const { NatsCarrier } = await import('./carriers/nats.ts')
    return new NatsCarrier(config.nats_url, await this.log.id(), { log, hash })
  }

  /** Sends batches to the other nodes, and applies them to the log of this node. */
  #announce(batches: readonly Batch[]): void {
    if (batches.length === 0) return
    this.#carrier?.announce(batches)
    this.#receive(batches)
  }

  #receive(batches: readonly Batch[]): void {
    this.log.receive(batches)
    if (this.#pokedAt === undefined) return
    this.metrics.deliveryLag.observe((performance.now() - this.#pokedAt) / 1000)
    this.#pokedAt = undefined
  }

  #receiver(): Receiver {
    const isLost = () => faults.dropHints > 0 && Math.random() < faults.dropHints
    return {
      onBatches: (batches) => !isLost() && this.#receive(batches),
      onHint: (id, last_seq) => !isLost() && this.log.hint(id, last_seq),
      onPoke: () => !isLost() && this.leads && this.#sequencer.poke(),
    }
  }
}
