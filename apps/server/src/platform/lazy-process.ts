import { type ChildProcess, fork } from 'node:child_process'
import { Turns } from './turns.ts'

export interface LazyProcessOptions {
  /** An answer that takes longer does not come. */
  patience: number
  /** So many may wait for those before them. */
  mostWaiting: number
  keptIdle?: number
}

/** There will be no answer to this question; others may get one. */
export class NoAnswer extends Error {
  readonly reason: 'crashed' | 'too slow' | 'too many'

  constructor(reason: NoAnswer['reason']) {
    super(`a process did not answer: ${reason}`)
    this.reason = reason
  }
}

/**
 * A process for work that may take any time and memory, or crash: decoding what strangers send. It begins with the first
 * question, answers one after the other, knows none of our secrets, and ends when nobody has asked for a while or an
 * answer takes too long.
 */
export class LazyProcess<Question extends object, Answer> {
  readonly #file: URL
  readonly #options: Required<LazyProcessOptions>
  readonly #turns = new Turns(1)
  #child: ChildProcess | undefined
  #leaving: NodeJS.Timeout | undefined

  constructor(file: URL, options: LazyProcessOptions) {
    this.#file = file
    this.#options = { keptIdle: 30_000, ...options }
  }

  /** Of the process there is now. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async ask(question: Question): Promise<Answer> {
    if (this.#turns.waiting >= this.#options.mostWaiting) throw new NoAnswer('too many')
    return this.#turns.take(async () => {
      clearTimeout(this.#leaving)
      this.#child ??= await this.#start()
      try {
        return await this.#askChild(this.#child, question)
      } finally {
        this.#leaving = setTimeout(() => this.#end(), this.#options.keptIdle).unref()
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
    // Whoever asks hears of it by the exit.
    child.on('error', () => {})
    const isReady = await new Promise<boolean>((resolve) => {
      child.once('message', () => resolve(true)).once('exit', () => resolve(false))
    })
    if (!isReady) throw new Error(`${this.#file.pathname} ended before it was ready`)
    return child
  }

  async #askChild(child: ChildProcess, question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const answered = (answer: unknown) => resolve(answer as Answer)
    const crashed = () => reject(new NoAnswer('crashed'))
    const giveUp = setTimeout(() => {
      reject(new NoAnswer('too slow'))
      this.#end()
    }, this.#options.patience)
    child.once('message', answered).once('exit', crashed)
    hold(child, true)
    try {
      child.send(question, (error) => error && crashed())
      return await promise
    } finally {
      clearTimeout(giveUp)
      child.off('message', answered).off('exit', crashed)
      hold(child, false)
    }
  }

  #end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

/** A process that is asked to end waits for what it has promised, and for nothing else. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const how = isHeld ? 'ref' : 'unref'
  child[how]()
  child.channel?.[how]()
}
