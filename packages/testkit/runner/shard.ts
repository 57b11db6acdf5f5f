import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bySize } from '../src/size.ts'
import type { FileResult } from './results.ts'

const script = fileURLToPath(new URL('./run-shard.ts', import.meta.url))
const preload = new URL('./without-async-hooks.ts', import.meta.url).href

/**
 * Lets a process use more memory before it collects garbage. With V8's defaults, the heap of a test process is
 * marked again after every few dozen megabytes, which takes a tenth of the processor time of the tests.
 */
const heapFlags = ['--initial-heap-size=800', '--min-semi-space-size=16', '--max-semi-space-size=64']

/** Returns the time limit of one file, which may wait forever outside of its tests. */
const fileTimeoutMs = () => bySize({ gate: 1_800_000, long: 4 * 3_600_000 })
/** Time limit for the end of a process, in which it stops shared servers and browsers. */
const endTimeoutMs = 120_000
/**
 * Time limit of `process.exit` after everything was stopped. It rarely waits forever for a thread that compiles
 * (https://github.com/nodejs/node/issues/54918).
 */
const defaultExitTimeoutMs = 30_000

/** A message to the process of a shard: run a test file, or end. */
export type ShardRequest = { file: string } | { isLast: true }

export interface ShardOptions {
  /** Called if a process fails after the tests of a file, for example because a server does not stop. */
  onLateFailure: (result: FileResult) => void
  /** Further options of Node. */
  execArgv?: readonly string[]
  /** Time that a process may take to exit after it has stopped everything. */
  exitTimeoutMs?: number
}

/** A process that runs test files, one at a time. It is started for the first file. */
export class Shard {
  readonly #options: ShardOptions
  #child: ChildProcess | undefined
  /** The file that is running, or the one that ran last. */
  #file = ''
  /** Ends the run of the current file; undefined between files. */
  #failFile: ((error: string) => void) | undefined
  /** The processes that have stopped everything and exit. */
  readonly #ended = new WeakSet<ChildProcess>()

  constructor(options: ShardOptions) {
    this.#options = options
  }

  /** Runs one test file. If the process dies, the file fails and the next file gets a new process. */
  async run(file: string): Promise<FileResult> {
    this.#child ??= this.#start()
    const child = this.#child
    this.#file = file
    const started = performance.now()
    const timer = setTimeout(() => child.kill('SIGKILL'), fileTimeoutMs())
    const { promise, resolve } = Promise.withResolvers<FileResult>()
    this.#failFile = (error) => resolve(failedFile(file, error, performance.now() - started))
    child.once('message', resolve)
    // If the process has just ended, its `exit` event fails the file.
    child.send({ file } satisfies ShardRequest, () => {})
    const result = await promise
    clearTimeout(timer)
    this.#failFile = undefined
    return result
  }

  #start(): ChildProcess {
    const { execArgv = [] } = this.#options
    const child = fork(script, [], { execArgv: ['--import', preload, ...heapFlags, ...execArgv] })
    child.once('exit', (code, signal) => {
      const isExpected = this.#ended.has(child) || (this.#child !== child && code === 0)
      if (this.#child === child) this.#child = undefined
      const cause = signal === 'SIGKILL' ? ' (out of memory, or over its time limit)' : ''
      const error = `the test process ended with ${signal ?? `exit code ${code}`}${cause}`
      if (this.#failFile) this.#failFile(error)
      else if (!isExpected)
        this.#options.onLateFailure(failedFile(this.#file, `${error} after the tests of this file`))
    })
    return child
  }

  /** Ends the process. The next file gets a new one. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    const { exitTimeoutMs = defaultExitTimeoutMs } = this.#options
    const exited = new Promise((resolve) => child.once('exit', resolve))
    let timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs)
    child.once('message', () => {
      this.#ended.add(child)
      clearTimeout(timer)
      timer = setTimeout(() => child.kill('SIGKILL'), exitTimeoutMs)
    })
    child.send({ isLast: true } satisfies ShardRequest, () => {})
    await exited
    clearTimeout(timer)
  }
}

function failedFile(file: string, error: string, ms = 0): FileResult {
  return {
    file,
    tests: [{ name: file, nesting: 0, outcome: 'failed', ms, error }],
    ms,
    cpuMs: 0,
    memoryMb: 0,
  }
}
