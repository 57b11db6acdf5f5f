import type { Worker } from 'node:cluster'
import { mergeMetrics } from './merge-metrics.ts'
import { send, type ToSupervisor } from './messages.ts'

/** Asks processes for their metrics, and merges them. */
export class MetricsCollector {
  readonly #answers = new Map<number, (text: string) => void>()
  #questions = 0
  readonly #answerMs: number

  /** The metrics of a process that has not answered for this many milliseconds are left out. */
  constructor(answerMs = 2_000) {
    this.#answerMs = answerMs
  }

  async collect(workers: readonly Worker[], own: string): Promise<string> {
    const texts = await Promise.all(workers.map((worker) => this.#ask(worker)))
    return mergeMetrics([own, ...texts])
  }

  onAnswer({ id, text }: Extract<ToSupervisor, { type: 'metrics' }>): void {
    this.#answers.get(id)?.(text)
  }

  #ask(worker: Worker): Promise<string> {
    const id = this.#questions++
    return new Promise((resolve) => {
      const finish = (text: string) => {
        clearTimeout(timer)
        this.#answers.delete(id)
        resolve(text)
      }
      const timer = setTimeout(finish, this.#answerMs, '')
      this.#answers.set(id, finish)
      send(worker, { type: 'metrics wanted', id }, () => finish(''))
    })
  }
}
