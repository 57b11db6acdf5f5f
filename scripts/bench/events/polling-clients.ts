import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export interface Poll {
  queue_id: string
  last_event_id: number
  authorization: string
}

export interface PollOrder {
  port: number
  polls: readonly Poll[]
}

/** How long polls waited for their responses, in milliseconds. */
export interface Waits {
  /** Number of polls that got at least one response. */
  polls: number
  heartbeats: number
  shortest: number
  longest: number
}

export interface PollReport {
  kind: 'open' | 'round' | 'waits'
  /** Error responses and connection errors. */
  failures: string[]
  waits?: Waits
}

/** Polls one server from a separate process. A poll that gets a response is sent again at once. */
export class PollingClients implements Disposable {
  readonly #port: number
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'polling-process.ts'))
  readonly #awaited = new Map<PollReport['kind'], PromiseWithResolvers<PollReport>>()

  constructor(port: number) {
    this.#port = port
    this.#child.on('message', (report: PollReport) => this.#receive(report))
  }

  /** Adds polls. All of them have been sent when this returns. */
  async open(polls: readonly Poll[]): Promise<void> {
    const opened = this.#await('open')
    this.#child.send({ port: this.#port, polls } satisfies PollOrder)
    await opened
  }

  /**
   * Waits until each poll got one more response and was sent again. Call it before the event is
   * emitted.
   */
  async round(): Promise<void> {
    await this.#await('round')
  }

  /** Returns how long polls have waited since the last call. */
  async waits(): Promise<Waits> {
    const reported = this.#await('waits')
    this.#child.send('waits')
    return (await reported).waits as Waits
  }

  #await(kind: PollReport['kind']): Promise<PollReport> {
    const awaited = Promise.withResolvers<PollReport>()
    this.#awaited.set(kind, awaited)
    return awaited.promise
  }

  #receive(report: PollReport): void {
    const awaited = this.#awaited.get(report.kind)
    const [failure] = report.failures
    if (failure === undefined) awaited?.resolve(report)
    else awaited?.reject(new Error(`${report.failures.length} polls failed, the first with: ${failure}`))
  }

  [Symbol.dispose](): void {
    this.#child.kill()
  }
}
