import { Worker } from 'node:worker_threads'
import { ApiError, type ErrorBody, type ErrorName } from '@oxbow/contract'

type Refusal = { name: ErrorName; body: ErrorBody }
type Answer<Value> = { value: Value } | { error: Error; refusal?: Refusal }

/**
 * A thread for work that would hold up everyone else. It begins with the first question and ends when nobody has asked
 * for a while, so that a quiet node pays nothing for it. Answers come in the order of the questions.
 */
export class LazyWorker<Question, Value> {
  readonly #file: URL
  readonly #keptIdle: number
  #running: Running<Question, Value> | undefined

  constructor(file: URL, keptIdle = 30_000) {
    this.#file = file
    this.#keptIdle = keptIdle
  }

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.#running !== undefined
  }

  async ask(question: Question): Promise<Value> {
    this.#running ??= this.#start()
    const answer = await this.#running.ask(question)
    if (!('error' in answer)) return answer.value
    const { error, refusal } = answer
    throw refusal ? ApiError.fromBody(refusal.name, refusal.body) : error
  }

  #start(): Running<Question, Value> {
    const started: Running<Question, Value> = new Running(this.#file, this.#keptIdle, () => {
      // Another may have begun since.
      if (this.#running === started) this.#running = undefined
    })
    return started
  }
}

class Running<Question, Value> {
  readonly #worker: Worker
  readonly #keptIdle: number
  readonly #onGone: () => void
  readonly #waiting: ((answer: Answer<Value>) => void)[] = []
  #leaving: NodeJS.Timeout | undefined

  constructor(file: URL, keptIdle: number, onGone: () => void) {
    this.#keptIdle = keptIdle
    this.#onGone = onGone
    this.#worker = new Worker(file)
    this.#worker.on('message', (answer: Answer<Value>) => this.#answer(answer))
    const fail = (error: Error) => {
      onGone()
      while (this.#waiting.length > 0) this.#answer({ error })
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', () => fail(new Error('the thread ended before it answered')))
    this.#worker.unref()
  }

  ask(question: Question): Promise<Answer<Value>> {
    clearTimeout(this.#leaving)
    const { promise, resolve } = Promise.withResolvers<Answer<Value>>()
    this.#waiting.push(resolve)
    // A process that is asked to end waits for what it has promised, and for nothing else.
    this.#worker.ref()
    this.#worker.postMessage(question)
    return promise
  }

  #answer(answer: Answer<Value>): void {
    this.#waiting.shift()?.(answer)
    if (this.#waiting.length > 0) return
    this.#worker.unref()
    this.#leaving = setTimeout(() => {
      // From here on nobody asks this one: it could not answer any more.
      this.#onGone()
      this.#worker.terminate()
    }, this.#keptIdle)
    this.#leaving.unref()
  }
}
