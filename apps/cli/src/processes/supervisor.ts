import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { SetupError } from '@oxbow/server'
import { MetricsCollector } from './collect-metrics.ts'
import { closeLostConnections } from './lost-connections.ts'
import { numberVariable, send, type ToSupervisor } from './messages.ts'

/** A process that does not stop is killed this long after its drain time. */
const maxStopMs = 30_000
/** Default of `minRunMs`. */
const defaultMinRunMs = 10_000
const maxPauseMs = 30_000
/** If no process is left and as many starts in a row have failed, the supervisor gives up. */
const maxFailedStarts = 5

export interface Supervision {
  /** The number of processes. */
  count: number
  drainMs: number
  /** A process that serves requests for a shorter time is replaced only after a pause; 10 s by default. */
  minRunMs?: number
  /** Logs a line for the operator. */
  report(level: 'info' | 'warn' | 'error', fields: object, message: string): void
}

/** One of the processes that should run: the same number, with another process after a restart. */
interface Slot {
  readonly number: number
  /** The process that serves requests; undefined while there is none. */
  worker?: Worker | undefined
  /** Processes in a row that did not start, or ended soon after their start. */
  failures: number
}

/**
 * Runs several nodes on one port, as processes of `node:cluster`: starts them, replaces those that end,
 * restarts them one after the other, and stops them together.
 */
export class Supervisor {
  readonly #supervision: Supervision
  readonly #slots: Slot[]
  readonly #metrics = new MetricsCollector()
  #replaced = 0
  isStopping = false
  /** Resolves when the start has ended, with whether it succeeded. */
  #hasStarted = Promise.resolve(false)
  #restarting: Promise<void> | undefined
  #isRestartWanted = false

  constructor(supervision: Supervision) {
    this.#supervision = supervision
    this.#slots = Array.from({ length: supervision.count }, (_, index) => ({
      number: index + 1,
      failures: 0,
    }))
    // Processes get connections in turn. Left to the kernel, some of four idle processes get hardly any.
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.setupPrimary({ silent: false })
    cluster.on('message', (worker, message: ToSupervisor) => this.#receive(worker, message))
  }

  /**
   * Starts all processes. Resolves with their URL when all serve requests, and throws if one ends before. The
   * first one starts alone, because it may have to create the secret and the tables.
   */
  start(): Promise<string> {
    const started = this.#startAll()
    this.#hasStarted = started.then(
      () => true,
      () => false,
    )
    return started
  }

  async #startAll(): Promise<string> {
    const [first, ...others] = this.#slots as [Slot, ...Slot[]]
    const url = await this.#startSlot(first)
    await Promise.all(others.map((slot) => this.#startSlot(slot)))
    return url
  }

  /**
   * Replaces each process in turn: starts a new one, and stops the old one once the new one serves requests.
   * Ends without further changes if a new process does not start. A restart that is wanted during the
   * start or during another restart follows it.
   */
  restart(): Promise<void> {
    this.#isRestartWanted = true
    this.#restarting ??= this.#restartWhileWanted().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  /** Stops all processes. Those that do not end in time are killed. */
  async stop(drainMs: number): Promise<void> {
    this.isStopping = true
    await Promise.all(
      Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker, { drainMs })),
    )
  }

  /** Kills all processes. */
  kill(): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  }

  async #restartWhileWanted(): Promise<void> {
    // If the start fails, the server ends.
    if (!(await this.#hasStarted)) return
    while (this.#isRestartWanted && !this.isStopping) {
      this.#isRestartWanted = false
      this.#report('info', {}, 'a rolling restart begins')
      try {
        for (const slot of this.#slots) {
          await this.#startSlot(slot)
          if (this.isStopping) return
        }
        this.#report('info', {}, 'the rolling restart is done')
      } catch (error) {
        if (this.isStopping) return
        this.#report('error', {}, `the rolling restart was given up: ${(error as Error).message}`)
      }
    }
  }

  /**
   * Starts a process for a slot. Resolves with its URL when it serves requests and the process that it
   * replaces, if any, has ended; throws if it ends before.
   */
  async #startSlot(slot: Slot): Promise<string> {
    const name = `process ${slot.number} of ${this.#supervision.count}`
    const worker = cluster.fork({ [numberVariable]: `${slot.number}/${this.#supervision.count}` })
    closeLostConnections(worker)
    const { minRunMs = defaultMinRunMs } = this.#supervision
    let readyAt = 0
    const { promise, resolve, reject } = Promise.withResolvers<{ url: string; old: Worker | undefined }>()
    worker.on('message', (message: ToSupervisor) => {
      if (message.type !== 'ready') return
      readyAt = Date.now()
      resolve({ url: message.url, old: slot.worker })
      slot.worker = worker
    })
    // Emitted if the process cannot be created, and if it ends while a connection is being given to it.
    worker.on('error', (err) => {
      const { pid } = worker.process
      // A process that was not created emits no `exit`.
      if (pid === undefined) reject(new SetupError(`${name} could not be created: ${err.message}`))
      else this.#report('warn', { pid, err }, `process ${slot.number} could not be reached`)
    })
    worker.once('exit', (code: number, signal: string | null) => {
      const ending = signal ? `by ${signal}` : `with exit code ${code}`
      reject(new SetupError(`${name} ended ${ending} before it served requests`))
      if (slot.worker !== worker) return
      slot.worker = undefined
      if (this.isStopping) return
      this.#report(
        'warn',
        { pid: worker.process.pid },
        `process ${slot.number} ended ${ending}; it is replaced`,
      )
      slot.failures = Date.now() - readyAt < minRunMs ? slot.failures + 1 : 0
      void this.#replace(slot)
    })
    const { url, old } = await promise
    if (old) await stop(old, { drainMs: this.#supervision.drainMs, isReplaced: true })
    return url
  }

  async #replace(slot: Slot): Promise<void> {
    while (!this.isStopping && !slot.worker) {
      if (slot.failures > 0) await wait(Math.min(maxPauseMs, 500 * 2 ** slot.failures))
      // A rolling restart may have replaced it meanwhile.
      if (this.isStopping || slot.worker) return
      this.#replaced++
      try {
        await this.#startSlot(slot)
      } catch (error) {
        slot.failures++
        if (this.isStopping) return
        this.#report('error', {}, (error as Error).message)
        this.#giveUpIfHopeless(slot)
      }
    }
  }

  #giveUpIfHopeless({ failures }: Slot): void {
    if (failures < maxFailedStarts || this.#slots.some(({ worker }) => worker)) return
    process.stderr.write(
      `No process of this server is left, and ${failures} starts in a row have failed. The reasons are in the lines above. Oxbow ends.\n`,
    )
    this.kill()
    process.exit(1)
  }

  #receive(worker: Worker, message: ToSupervisor): void {
    switch (message.type) {
      case 'broadcast':
        for (const other of Object.values(cluster.workers ?? {})) {
          if (other && other !== worker) send(other, message)
        }
        return
      case 'metrics':
        this.#metrics.onAnswer(message)
        return
      case 'metrics wanted':
        void this.#readMetrics().then((text) => send(worker, { type: 'metrics', id: message.id, text }))
    }
  }

  /** Reads the metrics of the processes that serve requests; one that is being replaced is left out. */
  #readMetrics(): Promise<string> {
    const workers = this.#slots.flatMap(({ worker }) => worker ?? [])
    const own = [
      '# HELP oxbow_processes Processes that serve the port.',
      '# TYPE oxbow_processes gauge',
      `oxbow_processes ${workers.length}`,
      '# HELP oxbow_processes_replaced_total Starts of a process in place of one that ended by itself.',
      '# TYPE oxbow_processes_replaced_total counter',
      `oxbow_processes_replaced_total ${this.#replaced}`,
    ]
    return this.#metrics.collect(workers, own.join('\n'))
  }

  #report(level: 'info' | 'warn' | 'error', fields: object, message: string): void {
    this.#supervision.report(level, fields, message)
  }
}

/** Stops a process, and resolves when it has ended. */
async function stop(
  worker: Worker,
  { drainMs, isReplaced = false }: { drainMs: number; isReplaced?: boolean },
) {
  if (worker.isDead()) return
  // `once` of node:events would reject if the worker emits an `error` while it ends.
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  const kill = setTimeout(() => worker.process.kill('SIGKILL'), drainMs + maxStopMs)
  send(worker, { type: 'stop', drainMs, isReplaced })
  await exited
  clearTimeout(kill)
}
