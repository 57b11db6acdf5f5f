import type pg from 'pg'
import { lockKey } from '../../platform/database/locks.ts'
import { FailureLog } from '../../platform/failure-log.ts'
import type { Log } from '../../platform/log.ts'
import { DirectConnection } from '../direct-connection.ts'
import type { EventMetrics } from '../metrics.ts'
import type { Batch } from '../record.ts'
import { OutboxFloor } from './floor.ts'
import { checkLineage, noteAlive, type Seen, stretchStarted } from './lineage.ts'
import { LogSize } from './log-size.ts'
import { currentPart, dropOldParts, type Retention, readLogBytes } from './parts.ts'
import { takeBatches, tick } from './take-batches.ts'

export interface SequencerOptions {
  databaseUrl: string
  retention: Retention
  log: Log
  metrics: EventMetrics
  /** How far this node has followed the log. */
  seen: () => Seen[]
  /** Called with what is committed, in order. */
  announce: (batches: readonly Batch[]) => void
}

/** How long to look away when nothing comes: pokes are hints, and may be lost. */
const look = { busy: 20, idle: 1_000 }
/** Between two tries of a node that is not the sequencer to become it. */
const applyEvery = 500
const tickEvery = 5_000
/** Between two ticks of which the first has not reached all organizations. */
const tickPause = 100
/** After this long without an event, a tick. */
const quietSeconds = 20
const upkeepEvery = 30_000
/** The time when the database was in use is written down this often; see `jump-ids.ts`. */
const aliveEvery = 5_000
/** The floor is written down for other nodes, at most this often. */
const publishFloorEvery = 1_000

/**
 * Numbers what transactions left in the outbox. One node at a time does it, by a lock that its session holds; all it
 * does goes through that session, so that whoever lost the lock can write nothing.
 */
export class Sequencer {
  readonly #options: SequencerOptions
  readonly #connection: DirectConnection
  readonly #logSize: LogSize
  readonly #failures: FailureLog
  #isStopping = false
  #wake: (() => void) | undefined
  #isPoked = false
  #running: Promise<void> = Promise.resolve()
  /** When this node became the sequencer; undefined while it is not. */
  leadsSince: number | undefined

  constructor(options: SequencerOptions) {
    this.#options = options
    this.#logSize = new LogSize(options.retention.bytes, options.log)
    this.#connection = new DirectConnection(options.databaseUrl, 'oxbow sequencer', options.log)
    this.#connection.onLost = () => this.poke()
    this.#failures = new FailureLog(options.log, {
      failed: 'this node cannot number events; another one may, or this one later',
      recovered: 'the session for numbering events works again',
    })
  }

  /** Makes the session, without asking for the lock. */
  async connect(): Promise<void> {
    await this.#connection.start()
  }

  /** Asks for the lock from now on, until stopped. */
  run(): void {
    this.#running = this.#run()
  }

  /** Look now: there is something in the outbox, or the lock may be free. */
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
        if (client && (await isLeader(client))) await this.#lead(client)
        else if (client) this.#failures.succeeded()
      } catch (err) {
        if (!this.#isStopping) this.#failures.failed(err)
        // Whatever is wrong, the session and its lock are given up, so that any node can try.
        if (client && client === this.#connection.client) this.#connection.drop(err as Error)
      }
      this.leadsSince = undefined
      this.#options.metrics.leads.set(0)
      this.#isPoked = false
      await this.#rest(applyEvery)
    }
  }

  async #lead(client: pg.Client): Promise<void> {
    const { retention, announce, metrics, log, seen } = this.#options
    let part = await currentPart(client, retention)
    const holes = await checkLineage(client, seen())
    if (holes.length > 0) log.warn(stretchStarted)
    announce(holes)
    const floor = new OutboxFloor(await readFloor(client))
    let published = floor.value
    let publishedAt = 0
    let tickedAt = 0
    let aliveAt = 0
    let tickedTo = 0
    let upkeptAt = performance.now()
    await this.#measureLog(client)
    let pause = look.busy
    this.leadsSince = performance.now()
    metrics.leads.set(1)
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
      floor.learn(pass)
      if (floor.value > published && now - publishedAt > publishFloorEvery) {
        published = floor.value
        publishedAt = now
        await client.query('update event_log set outbox_floor = $1', [floor.value])
      }
      if (now - aliveAt > aliveEvery) {
        aliveAt = now
        if (!(await noteAlive(client))) throw new Error('the tables of the database were replaced')
      }
      if (now - tickedAt > (tickedTo > 0 ? tickPause : tickEvery)) {
        tickedAt = now
        const { batches, next } = await tick(client, { part, quietSeconds, after: tickedTo })
        announce(batches)
        tickedTo = next
      }
      if (now - upkeptAt > upkeepEvery) {
        upkeptAt = now
        part = await currentPart(client, retention)
        const bytes = await this.#measureLog(client)
        this.#logSize.noteDropped(await dropOldParts(client, retention), bytes)
      }
      if (pass.isLimited) continue
      pause = pass.taken > 0 ? look.busy : Math.min(pause * 2, look.idle)
      await this.#rest(tickedTo > 0 ? Math.min(pause, tickPause) : pause)
    }
  }

  async #measureLog(client: pg.Client): Promise<number> {
    const bytes = await readLogBytes(client)
    this.#options.metrics.logBytes.set(bytes)
    this.#logSize.note(bytes)
    return bytes
  }

  /** Until poked, or this many milliseconds. */
  async #rest(milliseconds: number): Promise<void> {
    if (this.#isPoked || this.#isStopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    this.#wake = resolve
    await promise
    this.#wake = undefined
    clearTimeout(timer)
  }
}

async function isLeader(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
    lockKey('sequencer'),
  ])
  return rows[0]?.held ?? false
}

async function readFloor(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ outbox_floor: number }>('select outbox_floor from event_log')
  return rows[0]?.outbox_floor ?? 0
}
