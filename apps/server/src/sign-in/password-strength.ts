import { Worker } from 'node:worker_threads'
import type { App } from '../platform/app.ts'

const shortest = 6
const fewestGuesses = 10_000
/** Longer passwords are strong by their length, and estimating them takes long. */
const examined = 100
/** The word lists take 45 MB, so the estimator goes when nobody has needed it for a while. */
const kept = 30_000

/** Long enough, and not among the first ten thousand that anyone would try. Development servers take any. */
export async function isStrongPassword({ config }: Pick<App, 'config'>, password: string): Promise<boolean> {
  if (config.mode === 'development') return true
  if ([...password].length < shortest) return false
  return (await estimateGuesses(password.slice(0, examined))) >= fewestGuesses
}

/** In a thread of its own: some passwords take a second to judge, and everyone else would wait. */
class Estimator {
  readonly #worker = new Worker(new URL('./password-strength-worker.ts', import.meta.url))
  readonly #waiting: ((answer: number | Error) => void)[] = []
  #leaving: NodeJS.Timeout | undefined

  constructor(onGone: () => void) {
    this.#worker.on('message', (guesses: number) => this.#answer(guesses))
    this.#worker.on('error', (error: Error) => {
      while (this.#waiting.length > 0) this.#answer(error)
    })
    this.#worker.on('exit', onGone)
    this.#worker.unref()
  }

  async estimate(password: string): Promise<number> {
    clearTimeout(this.#leaving)
    const { promise, resolve } = Promise.withResolvers<number | Error>()
    this.#waiting.push(resolve)
    this.#worker.ref()
    this.#worker.postMessage(password)
    const answer = await promise
    if (typeof answer === 'number') return answer
    throw answer
  }

  /** Answers come in the order of the questions. */
  #answer(answer: number | Error): void {
    this.#waiting.shift()?.(answer)
    if (this.#waiting.length > 0) return
    this.#worker.unref()
    this.#leaving = setTimeout(() => this.#worker.terminate(), kept)
    this.#leaving.unref()
  }
}

let estimator: Estimator | undefined

function estimateGuesses(password: string): Promise<number> {
  estimator ??= new Estimator(() => {
    estimator = undefined
  })
  return estimator.estimate(password)
}
