import type pg from 'pg'
import { lockKey } from '../../platform/database/locks.ts'
import type { Log } from '../../platform/observe/log.ts'
import { FailureLog } from '../../platform/observe/log.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import type { Batch } from '../record.ts'
import { OutboxFloor } from './floor.ts'
import { checkLineage, epochStartedMessage, type FollowedPosition, saveAliveTime } from './lineage.ts'
import { LogSizeAlarm } from './log-size-alarm.ts'
import { currentPart, dropOldParts, type Retention, readLogBytes } from './parts.ts'
import { takeBatches, tick } from './take-batches.ts'

export interface SequencerOptions {
  databaseUrl: string
  retention: Retention
  log: Log
  metrics: EventMetrics
  /** Returns the positions up to which this node has followed the log. */
  followedPositions: () => FollowedPosition[]
  /** Called with committed batches, in log order. */
  announce: (batches: readonly Batch[]) => void
  /** How long it may take to connect. */
  databaseTimeoutMs?: number | undefined
}

/**
 * Pause between two scans of the outbox. A node scans even without a poke, because pokes may be lost. The
 * pause doubles while the outbox is empty.
 */
const pauseMs = { busy: 20, idle: 1_000 }
/** Interval at which a node that is not the sequencer tries to get the lock. */
const lockRetryMs = 500
const tickIntervalMs = 5_000
/** Pause before the next tick if the last one has not reached all organizations. */
const tickPauseMs = 100
/** An organization without events for this long gets a tick, which is an empty batch. */
const quietSeconds = 20
const upkeepIntervalMs = 30_000
/** Interval at which the time of the database's last use is saved, for `jump-ids.ts`. */
const aliveIntervalMs = 5_000
/** Minimum interval between two saves of the floor, which other nodes read. */
const publishFloorIntervalMs = 1_000

/**
 * Numbers the rows of the outbox. Only the node whose session holds the advisory lock does so;
 * every write goes through that same session, so a node that lost the lock cannot write.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #connection: DirectConnection
  readonly #logSize: LogSizeAlarm
  readonly #failures: FailureLog
  #isStopping = false
  #wake: (() => void) | undefined
  #isPoked = false
  #running: Promise<void> = Promise.resolve()
  /**
   * The time, by `performance.now()`, at which this node became the sequencer; undefined while it
   * is not.
   */
  sequencerSince: number | undefined

  constructor(options: SequencerOptions) {
    this.#options = options
    this.#logSize = new LogSizeAlarm(options.retention.maxBytes, options.log)
    const { databaseUrl, log, databaseTimeoutMs } = options
    this.#connection = new DirectConnection(databaseUrl, 'oxbow sequencer', log, databaseTimeoutMs)
    this.#connection.onLost = () => this.poke()
    this.#failures = new FailureLog(options.log, {
      failed: 'this node cannot number events; another one may, or this one later',
      recovered: 'the session for numbering events works again',
    })
  }

  /** Opens the session without trying to get the lock. Must be called before `run`. */
  async connect(): Promise<void> {
    await this.#connection.start()
  }

  /** Competes for the lock, and numbers events while it is held, until `stop`. */
  run(): void {
    this.#running = this.#run()
  }

  /** Scans the outbox, or tries to get the lock, without waiting for the end of the current pause. */
  poke(): void {
    this.#isPoked = true
    this.#wake?.()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.poke()
    await this.#running
    await this.#connection.stop()
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      const { client } = this.#connection
      try {
        if (client && (await acquireSequencerLock(client))) await this.#sequence(client)
        else if (client) this.#failures.succeeded()
      } catch (err) {
        if (!this.#isStopping) this.#failures.failed(err)
        // After any error the session is closed, which releases the lock, so that another node can
        // try.
        if (client && client === this.#connection.client) this.#connection.drop(err as Error)
      }
      this.sequencerSince = undefined
      this.#options.metrics.sequencer.set(0)
      // Only the sequencer measures the log, so its last measurement would stay here for ever.
      this.#options.metrics.logBytes.set(0)
      this.#isPoked = false
      await this.#waitForPoke(lockRetryMs)
    }
  }

  async #sequence(client: pg.Client): Promise<void> {
    const { retention, announce, metrics, log, followedPositions } = this.#options
    let part = await currentPart(client, retention)
    const holes = await checkLineage(client, followedPositions())
    if (holes.length > 0) log.warn(epochStartedMessage)
    announce(holes)
    const floor = new OutboxFloor(await readFloor(client))
    let published = floor.value
    let publishedAt = 0
    let tickedAt = 0
    let aliveAt = 0
    let tickedTo = 0
    let lastUpkeepAt = performance.now()
    await this.#measureLog(client)
    let pause = pauseMs.busy
    this.sequencerSince = performance.now()
    metrics.sequencer.set(1)
    log.debug('this node is the sequencer now')

    while (!this.#isStopping && client === this.#connection.client) {
      this.#isPoked = false
      const { value, needsTransaction } = floor
      const pass = await takeBatches(client, { floor: value, part, needsTransaction })
      if (pass.batches.length > 0) {
        metrics.batchSize.observe(pass.taken)
        announce(pass.batches)
      }
      this.#failures.succeeded()
      const now = performance.now()
      floor.observePass(pass)
      if (floor.value > published && now - publishedAt > publishFloorIntervalMs) {
        published = floor.value
        publishedAt = now
        await client.query('update event_log set outbox_floor = $1', [floor.value])
      }
      if (now - aliveAt > aliveIntervalMs) {
        aliveAt = now
        if (!(await saveAliveTime(client))) throw new Error('the tables of the database were replaced')
      }
      if (now - tickedAt > (tickedTo > 0 ? tickPauseMs : tickIntervalMs)) {
        tickedAt = now
        const { batches, next } = await tick(client, { part, quietSeconds, after: tickedTo })
        announce(batches)
        tickedTo = next
      }
      if (now - lastUpkeepAt > upkeepIntervalMs) {
        lastUpkeepAt = now
        part = await currentPart(client, retention)
        const bytes = await this.#measureLog(client)
        this.#logSize.reportDropped(await dropOldParts(client, retention), bytes)
      }
      if (pass.isLimited) continue
      pause = pass.taken > 0 ? pauseMs.busy : Math.min(pause * 2, pauseMs.idle)
      await this.#waitForPoke(tickedTo > 0 ? Math.min(pause, tickPauseMs) : pause)
    }
  }

  async #measureLog(client: pg.Client): Promise<number> {
    const bytes = await readLogBytes(client)
    this.#options.metrics.logBytes.set(bytes)
    this.#logSize.checkSize(bytes)
    return bytes
  }

  /** Waits for a poke, or at most this long. */
  async #waitForPoke(milliseconds: number): Promise<void> {
    if (this.#isPoked || this.#isStopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    this.#wake = resolve
    await promise
    this.#wake = undefined
    clearTimeout(timer)
  }
}

async function acquireSequencerLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    lockKey('sequencer'),
  ])
  return rows[0]?.held ?? false
}

async function readFloor(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ outbox_floor: number }>('select outbox_floor from event_log')
  return rows[0]?.outbox_floor ?? 0
}
