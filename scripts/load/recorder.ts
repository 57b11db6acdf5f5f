import { quantile } from '../bench/figures.ts'
import type { Answer } from './http-connection.ts'
import { round, summarize, type Times } from './statistics.ts'

/** Figures of one second, as the generator saw them. Times are milliseconds. */
export interface Second {
  /** Seconds since the epoch. */
  at: number
  phase: string
  actions: number
  sends: number
  deliveries: number
  lagP99: number
  pageP99: number
  sendP99: number
}

export interface PhaseReport {
  phase: string
  isJudged: boolean
  /** Milliseconds since the epoch. */
  startedAt: number
  endedAt: number
  actions: number
  sends: number
  retries: number
  errors: number
  requests: number
  lag: Times
  /** The largest 99th percentile of the lag in one second. */
  worstSecondMs: number
  kinds: Record<string, Times>
}

interface Collected {
  phase: string
  isJudged: boolean
  startedAt: number
  actions: number
  sends: number
  retries: number
  errors: number
  lags: number[]
  times: Map<string, number[]>
}

/** Collects what the people of the generator do and see, by phase and by second. */
export class Recorder {
  readonly phases: PhaseReport[] = []
  readonly seconds: Second[] = []
  /** The first failed requests. */
  readonly failures: string[] = []
  readonly faults = { order: 0, dead: 0 }
  #phase = makeCollected('start', false)
  #second = { actions: 0, sends: 0, lags: [] as number[], pages: [] as number[], sendTimes: [] as number[] }
  readonly #stateSizes: number[] = []
  readonly #timer = setInterval(() => this.#endSecond(), 1000)

  startPhase(phase: string, isJudged: boolean): void {
    this.#endPhase()
    this.#phase = makeCollected(phase, isJudged)
  }

  end(): void {
    clearInterval(this.#timer)
    this.#endPhase()
  }

  meanStateBytes(): number {
    return this.#stateSizes.reduce((sum, size) => sum + size, 0) / Math.max(1, this.#stateSizes.length)
  }

  countAction(): void {
    this.#phase.actions++
    this.#second.actions++
  }

  countSend(): void {
    this.#phase.sends++
    this.#second.sends++
  }

  countRetry(): void {
    this.#phase.retries++
  }

  noteStateSize(bytes: number): void {
    this.#stateSizes.push(bytes)
  }

  noteArrival(lag: number): void {
    this.#phase.lags.push(lag)
    this.#second.lags.push(lag)
  }

  noteFault(fault: 'order' | 'dead'): void {
    this.faults[fault]++
  }

  noteRequest(kind: string, milliseconds: number, answer: Answer | undefined): void {
    const times = this.#phase.times.get(kind) ?? []
    times.push(milliseconds)
    this.#phase.times.set(kind, times)
    if (kind === 'page') this.#second.pages.push(milliseconds)
    if (kind === 'send') this.#second.sendTimes.push(milliseconds)
    if (answer?.status === 200) return
    this.#phase.errors++
    if (this.failures.length < 20)
      this.failures.push(`${kind}: ${answer?.status} ${answer?.body.slice(0, 200)}`)
  }

  #endSecond(): void {
    const { actions, sends, lags, pages, sendTimes } = this.#second
    this.seconds.push({
      at: Math.floor(Date.now() / 1000),
      phase: this.#phase.phase,
      actions,
      sends,
      deliveries: lags.length,
      lagP99: p99(lags),
      pageP99: p99(pages),
      sendP99: p99(sendTimes),
    })
    this.#second = { actions: 0, sends: 0, lags: [], pages: [], sendTimes: [] }
  }

  #endPhase(): void {
    const { times, lags, ...counts } = this.#phase
    if (counts.phase === 'start') return
    this.phases.push({
      ...counts,
      endedAt: Date.now(),
      requests: [...times.values()].reduce((sum, { length }) => sum + length, 0),
      lag: summarize(lags),
      worstSecondMs: Math.max(
        0,
        ...this.seconds.filter(({ phase }) => phase === counts.phase).map(({ lagP99 }) => lagP99),
      ),
      kinds: Object.fromEntries([...times].sort().map(([kind, values]) => [kind, summarize(values)])),
    })
  }
}

const makeCollected = (phase: string, isJudged: boolean): Collected => ({
  phase,
  isJudged,
  startedAt: Date.now(),
  actions: 0,
  sends: 0,
  retries: 0,
  errors: 0,
  lags: [],
  times: new Map(),
})

const p99 = (values: readonly number[]): number => (values.length === 0 ? 0 : round(quantile(values, 0.99)))
