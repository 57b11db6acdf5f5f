import type { App } from '../../app.ts'
import type { MeasuredFiles } from '../../files/measured-files.ts'
import { secondsSinceMail } from '../../mail/mail.ts'
import { type ComponentState, type Components, evaluateComponents } from './components.ts'
import { readDatabaseFigures } from './database-figures.ts'
import { measureDisks } from './disk-space.ts'
import type { Sample } from './sample.ts'

/** Interval at which a node observes itself and the database. */
const defaultIntervalMs = 10_000
/** The file need not exist: a request for it shows whether the object store answers. */
const probedKey = 'status-probe'

export interface MonitorOptions {
  app: App
  files: MeasuredFiles
  /** Whether the node has lost PostgreSQL. */
  isCutOff: () => boolean
  /** Milliseconds for which the oldest event waits for its number. */
  outboxAgeMs: () => number
  intervalMs?: number | undefined
}

/** The state of a part of the server, and since when it has this state. */
export interface ObservedState {
  state: ComponentState
  /** Undefined if the state has not changed since the node started. */
  since: Date | undefined
}

/**
 * Observes the node and its database periodically. Metrics and the status page show the last observation, so
 * that neither waits for a database that does not answer.
 */
export class NodeMonitor {
  readonly #options: MonitorOptions
  readonly #states = new Map<keyof Components, ObservedState>()
  #latest: Sample | undefined
  #timer: NodeJS.Timeout | undefined
  #isObserving = false

  constructor(options: MonitorOptions) {
    this.#options = options
  }

  /**
   * The last observation, with the current values of what the node itself knows; undefined until the first
   * observation is complete.
   */
  get latest(): Sample | undefined {
    return this.#latest && { ...this.#latest, ...this.#readNode() }
  }

  start(): void {
    this.#observe()
    this.#timer = setInterval(() => this.#observe(), this.#options.intervalMs ?? defaultIntervalMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Returns the state of each part that this server has; nothing until the first observation is complete. */
  listStates(): { component: keyof Components; observed: ObservedState }[] {
    const { latest } = this
    if (latest) this.#note(latest)
    return [...this.#states].map(([component, observed]) => ({ component, observed }))
  }

  #observe(): void {
    // Observations must not pile up while the database hangs.
    if (this.#isObserving) return
    this.#isObserving = true
    void this.#takeSample()
      .then((sample) => {
        this.#latest = sample
        this.#note(sample)
      })
      // No error is expected here, and an unexpected one must not end the process.
      .catch((err: unknown) => this.#options.app.log.debug({ err }, 'the node could not be observed'))
      .finally(() => {
        this.#isObserving = false
      })
  }

  async #takeSample(): Promise<Sample> {
    const { app, files } = this.#options
    const begun = performance.now()
    // Outages of PostgreSQL are logged elsewhere.
    const database = await readDatabaseFigures(app.db).catch(() => undefined)
    const databaseSeconds = (performance.now() - begun) / 1000
    // Read with the figures of the database, because their ages are compared.
    const sinceMail = secondsSinceMail(app)
    const disks = await measureDisks(app.config)
    // While no files are requested, only this call detects that the store works again.
    if (files.isFailing) await files.stat(probedKey).catch(() => {})
    return {
      database,
      databaseSeconds,
      secondsSinceMail: sinceMail,
      disks,
      areFilesFailing: files.isFailing,
      ...this.#readNode(),
    }
  }

  #readNode(): Pick<Sample, 'isCutOff' | 'outboxAgeMs'> {
    const { isCutOff, outboxAgeMs } = this.#options
    return { isCutOff: isCutOff(), outboxAgeMs: outboxAgeMs() }
  }

  #note(sample: Sample): void {
    const judged = evaluateComponents(this.#options.app.config, sample)
    for (const [component, state] of Object.entries(judged) as [keyof Components, ComponentState][]) {
      const before = this.#states.get(component)
      if (before?.state === state) continue
      const isFirstAndWorking = !before && state === 'working'
      this.#states.set(component, { state, since: isFirstAndWorking ? undefined : new Date() })
    }
  }
}
