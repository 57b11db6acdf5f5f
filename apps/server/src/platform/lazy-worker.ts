import { Worker } from 'node:worker_threads'
import { ApiError, type ErrorBody, type ErrorName } from '@oxbow/contract'

type Refusal = { name: ErrorName; body: ErrorBody }
type Answer<Value> = { value: Value } | { error: Error; refusal?: Refusal }

/**
 * Runs work in a thread that would block the event loop. The thread starts with the first question
 * and ends when it is idle, so that an idle node pays nothing for it. Answers come in the order of
 * the questions.
 */
export class LazyWorker<Question, Value> {
  readonly #file: URL
  readonly #maxIdleMs: number
  #running: RunningWorker<Question, Value> | undefined

  constructor(file: URL, maxIdleMs = 30_000) {
    this.#file = file
    this.#maxIdleMs = maxIdleMs
  }

  /** Whether the thread is running. */
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

  #start(): RunningWorker<Question, Value> {
    const started: RunningWorker<Question, Value> = new RunningWorker(this.#file, this.#maxIdleMs, () => {
      // A new thread may have started meanwhile.
      if (this.#running === started) this.#running = undefined
    })
    return started
  }
}

class RunningWorker<Question, Value> {
  readonly #worker: Worker
  readonly #maxIdleMs: number
  readonly #onGone: () => void
  readonly #waiting: ((answer: Answer<Value>) => void)[] = []
  #idleTimer: NodeJS.Timeout | undefined

  constructor(file: URL, maxIdleMs: number, onGone: () => void) {
    this.#maxIdleMs = maxIdleMs
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
    clearTimeout(this.#idleTimer)
    const { promise, resolve } = Promise.withResolvers<Answer<Value>>()
    this.#waiting.push(resolve)
    // The event loop stays alive while an answer is pending, and only then.
    this.#worker.ref()
    this.#worker.postMessage(question)
    return promise
  }

  #answer(answer: Answer<Value>): void {
    this.#waiting.shift()?.(answer)
    if (this.#waiting.length > 0) return
    this.#worker.unref()
    this.#idleTimer = setTimeout(() => {
      // Detached first, because a terminating thread cannot answer new questions.
      this.#onGone()
      this.#worker.terminate()
    }, this.#maxIdleMs)
    this.#idleTimer.unref()
  }
}
