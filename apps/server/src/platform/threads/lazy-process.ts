import { type ChildProcess, fork } from 'node:child_process'
import { Semaphore } from '../semaphore.ts'

export interface LazyProcessOptions {
  /** The process is killed if an answer takes longer. */
  timeoutMs: number
  /** Number of questions that may wait; further ones are refused. */
  maxWaiting: number
  /** The process ends after this long without a question. */
  maxIdleMs?: number
  /** The process is killed if it takes longer to start. */
  maxStartMs?: number
}

/** Thrown if the process did not answer this question. Other questions may succeed. */
export class NoResponseError extends Error {
  readonly reason: 'crashed' | 'too slow' | 'too many'

  constructor(reason: NoResponseError['reason']) {
    super(`a process did not answer: ${reason}`)
    this.reason = reason
  }
}

/**
 * Runs untrusted work, such as image decoding, in a child process, so that a crash, a hang or high memory use
 * does not harm the node. The process starts with the first question, answers one at a time, has none of the
 * node's environment variables, and ends when it is idle or an answer takes too long.
 */
export class LazyProcess<Question extends object, Result> {
  readonly #file: URL
  readonly #options: Required<LazyProcessOptions>
  readonly #semaphore = new Semaphore({ maxConcurrent: 1 })
  #child: ChildProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(file: URL, options: LazyProcessOptions) {
    this.#file = file
    this.#options = { maxIdleMs: 30_000, maxStartMs: 60_000, ...options }
  }

  /** Process id while the process runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async ask(question: Question): Promise<Result> {
    if (this.#semaphore.countWaiting() >= this.#options.maxWaiting) throw new NoResponseError('too many')
    return this.#semaphore.run(async () => {
      clearTimeout(this.#idleTimer)
      this.#child ??= await this.#start()
      try {
        return await this.#askChild(this.#child, question)
      } finally {
        this.#idleTimer = setTimeout(() => this.#end(), this.#options.maxIdleMs).unref()
      }
    })
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(this.#file, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    const { promise: whetherReady, resolve } = Promise.withResolvers<boolean>()
    child.once('message', () => resolve(true)).once('exit', () => resolve(false))
    // A process that could not be started has no `exit` event. Later errors reject the question.
    child.on('error', () => resolve(false))
    const timer = setTimeout(() => resolve(false), this.#options.maxStartMs)
    const isReady = await whetherReady
    clearTimeout(timer)
    if (!isReady) {
      child.kill('SIGKILL')
      throw new Error(`${this.#file.pathname} ended, or took too long, before it was ready`)
    }
    return child
  }

  async #askChild(child: ChildProcess, question: Question): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const onMessage = (response: unknown) => resolve(response as Result)
    const crashed = () => reject(new NoResponseError('crashed'))
    const timer = setTimeout(() => {
      reject(new NoResponseError('too slow'))
      this.#end()
    }, this.#options.timeoutMs)
    child.once('message', onMessage).once('exit', crashed)
    keepEventLoopAlive(child, true)
    try {
      child.send(question, (error) => error && crashed())
      return await promise
    } finally {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', crashed)
      keepEventLoopAlive(child, false)
    }
  }

  #end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

/** Keeps the node's event loop alive only while an answer is pending. */
function keepEventLoopAlive(child: ChildProcess, isHeld: boolean): void {
  const method = isHeld ? 'ref' : 'unref'
  child[method]()
  child.channel?.[method]()
}
