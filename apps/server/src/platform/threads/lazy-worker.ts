import { Worker } from 'node:worker_threads'
import { ApiError, type ErrorBody, type ErrorName } from '@oxbow/contract'

type Refusal = { name: ErrorName; body: ErrorBody }
type WorkerResponse<Value> = { value: Value } | { error: Error; refusal?: Refusal }

/**
 * Runs work that would block the event loop in a thread. The thread starts with the first question and ends
 * when it is idle, so that it costs an idle node nothing. Answers come in the order of the questions.
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
    const response = await this.#running.ask(question)
    if (!('error' in response)) return response.value
    const { error, refusal } = response
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
  readonly #waiting: ((response: WorkerResponse<Value>) => void)[] = []
  #idleTimer: NodeJS.Timeout | undefined

  constructor(file: URL, maxIdleMs: number, onGone: () => void) {
    this.#maxIdleMs = maxIdleMs
    this.#onGone = onGone
    this.#worker = new Worker(file)
    this.#worker.on('message', (response: WorkerResponse<Value>) => this.#answer(response))
    const fail = (error: Error) => {
      onGone()
      while (this.#waiting.length > 0) this.#answer({ error })
    }
    this.#worker.on('error', fail)
    this.#worker.on('exit', () => fail(new Error('the thread ended before it answered')))
    this.#worker.unref()
  }

  ask(question: Question): Promise<WorkerResponse<Value>> {
    clearTimeout(this.#idleTimer)
    const { promise, resolve } = Promise.withResolvers<WorkerResponse<Value>>()
    this.#waiting.push(resolve)
    // The event loop must stay alive while an answer is pending.
    this.#worker.ref()
    this.#worker.postMessage(question)
    return promise
  }

  #answer(response: WorkerResponse<Value>): void {
    this.#waiting.shift()?.(response)
    if (this.#waiting.length > 0) return
    this.#worker.unref()
    this.#idleTimer = setTimeout(() => {
      // Detaches the thread before it is terminated, because a terminating thread cannot answer new
      // questions.
      this.#onGone()
      this.#worker.terminate()
    }, this.#maxIdleMs)
    this.#idleTimer.unref()
  }
}
