import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export interface Poll {
  queue_id: string
  last_event_id: number
  authorization: string
}

export interface CrowdOrder {
  port: number
  polls: readonly Poll[]
}

/** How long polls waited for their answers, in milliseconds. */
export interface Waits {
  /** Those that got any. */
  polls: number
  heartbeats: number
  shortest: number
  longest: number
}

export interface CrowdReport {
  kind: 'open' | 'round' | 'waits'
  /** Anything but an answer. */
  failures: string[]
  waits?: Waits
}

/** Many polls of one server from a process of their own. Whoever is answered asks again at once. */
export class Crowd implements Disposable {
  readonly #port: number
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'crowd-process.ts'))
  readonly #awaited = new Map<CrowdReport['kind'], PromiseWithResolvers<CrowdReport>>()

  constructor(port: number) {
    this.#port = port
    this.#child.on('message', (report: CrowdReport) => this.#receive(report))
  }

  /** Adds polls; they are sent when this returns. */
  async open(polls: readonly Poll[]): Promise<void> {
    const opened = this.#await('open')
    this.#child.send({ port: this.#port, polls } satisfies CrowdOrder)
    await opened
  }

  /** Until each poll has got one more answer than before, and asked again. */
  async round(): Promise<void> {
    await this.#await('round')
  }

  /** Since this was last asked. */
  async waits(): Promise<Waits> {
    const told = this.#await('waits')
    this.#child.send('waits')
    return (await told).waits as Waits
  }

  #await(kind: CrowdReport['kind']): Promise<CrowdReport> {
    const awaited = Promise.withResolvers<CrowdReport>()
    this.#awaited.set(kind, awaited)
    return awaited.promise
  }

  #receive(report: CrowdReport): void {
    const awaited = this.#awaited.get(report.kind)
    const [failure] = report.failures
    if (failure === undefined) awaited?.resolve(report)
    else awaited?.reject(new Error(`${report.failures.length} polls failed, the first with: ${failure}`))
  }

  [Symbol.dispose](): void {
    this.#child.kill()
  }
}
