import type { Config } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import type { Carrier, Receiver } from './carriers/carrier.ts'
import { PostgresCarrier } from './carriers/postgres.ts'
import { EventRenderer } from './delivery/render.ts'
import { onCommit } from './emit.ts'
import type { EventShape } from './event-shape.ts'
import { faults } from './faults.ts'
import { EventLog } from './log/event-log.ts'
import type { EventMetrics } from './metrics.ts'
import { QueueKeeper } from './queue-keeper.ts'
import type { Batch, Emission } from './record.ts'
import { Sequencer } from './sequencer/sequencer.ts'

export interface EventSystemOptions {
  config: Config
  db: Db
  log: Log
  metrics: EventMetrics
  shapes: readonly EventShape[]
}

/** Seconds that the log outlives queues: the last poll of one may come late. */
const margin = 600
/** Seconds that the log is kept for a queue that is polled and acknowledges nothing. */
const usualRetention = 86_400

/** Everything about events that a node runs: it numbers them if no other node does, carries them and follows the log. */
export class EventSystem {
  readonly log: EventLog
  readonly renderer: EventRenderer
  readonly metrics: EventMetrics
  readonly #options: EventSystemOptions
  readonly #sequencer: Sequencer
  readonly #keeper: QueueKeeper
  #carrier: Carrier | undefined
  #pokedAt: number | undefined

  constructor(options: EventSystemOptions) {
    const { config, db, log, metrics } = options
    this.#options = options
    this.metrics = metrics
    metrics.logLimit.set(config.events_log_limit_mb * 1_048_576)
    this.renderer = new EventRenderer(db, options.shapes)
    const longestLifespan = Math.max(config.queue_lifespan_limit_seconds, config.queue_lifespan_seconds)
    this.#sequencer = new Sequencer({
      databaseUrl: config.database_url,
      retention: {
        minSeconds: Math.min(longestLifespan, usualRetention) + margin,
        maxSeconds: longestLifespan + margin,
        margin,
        bytes: config.events_log_limit_mb * 1_048_576,
      },
      log,
      metrics,
      seen: () => this.log.seen(),
      announce: (batches) => this.#announce(batches),
    })
    this.log = new EventLog({
      databaseUrl: config.database_url,
      db,
      log,
      metrics,
      windowBytes: config.events_window_mb * 1_048_576,
      onSequencerGone: () => this.#sequencer.poke(),
      leads: () => this.leads,
    })
    this.#keeper = new QueueKeeper({
      db,
      eventLog: this.log,
      metrics,
      log,
      lifespanSeconds: config.queue_lifespan_seconds,
      leadsSince: () => this.#sequencer.leadsSince,
    })
  }

  /** Whether this node numbers events. */
  get leads(): boolean {
    return this.#sequencer.leadsSince !== undefined
  }

  /** Follows the log. The node does not number events yet: see `apply`. */
  async start(): Promise<void> {
    await this.log.start()
    const carrier = await this.#makeCarrier()
    await carrier.start(this.#receiver())
    this.#carrier = carrier
    await this.#sequencer.connect()
    this.#keeper.start()
    onCommit.set(this.#options.db, (emissions) => this.#committed(emissions))
  }

  /** From now on this node may be the sequencer. Called once nothing can keep the node from starting any more. */
  apply(): void {
    this.#sequencer.run()
  }

  async stop(): Promise<void> {
    onCommit.delete(this.#options.db)
    await this.#keeper.stop()
    await this.#sequencer.stop()
    await this.#carrier?.stop()
    await this.log.stop()
  }

  /** Ends every poll and stream of this node with nothing, so that their clients go on at another. */
  release(): void {
    for (const organization of this.log.organizations.values()) {
      for (const queue of organization.listening) queue.listener?.end()
    }
  }

  /**
   * Invalidates what is cached here before the record comes back, so that a caller reads its own changes. Never fails: the
   * change is committed, and the record of the log repeats what was left out here.
   */
  #committed(emissions: readonly Emission[]): void {
    try {
      for (const { organization_id, effects = [] } of emissions) {
        for (const effect of effects) this.log.forget(organization_id, effect)
      }
      this.poke()
    } catch (err) {
      this.#options.log.error({ err }, 'a committed change was not announced at once')
    }
  }

  /** There may be something in the outbox. */
  poke(): void {
    this.#pokedAt ??= performance.now()
    if (this.leads) this.#sequencer.poke()
    else this.#carrier?.poke()
  }

  async #makeCarrier(): Promise<Carrier> {
    const { config, log } = this.#options
    if (!config.nats_url) return new PostgresCarrier(config.database_url, log)
    // Only fleets need it, and it takes memory.
    const { NatsCarrier } = await import('./carriers/nats.ts')
    return new NatsCarrier(config.nats_url, await this.log.id(), log)
  }

  /** The node that numbers has the batches already. */
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
      batches: (batches) => !isLost() && this.#receive(batches),
      hint: (id, last_seq) => !isLost() && this.log.hint(id, last_seq),
      poke: () => !isLost() && this.leads && this.#sequencer.poke(),
    }
  }
}
