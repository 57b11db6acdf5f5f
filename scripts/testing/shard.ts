import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FileResult } from './results.ts'

const script = fileURLToPath(new URL('./run-shard.ts', import.meta.url))
const preload = new URL('./without-async-hooks.ts', import.meta.url).href

/**
 * Lets a process use more memory before it collects garbage. With V8's defaults, the heap of a test process is
 * marked again after every few dozen megabytes, which takes a tenth of the processor time of the tests.
 */
const heapFlags = ['--initial-heap-size=800', '--min-semi-space-size=16', '--max-semi-space-size=64']

/** A process that runs test files, one at a time. It is started for the first file. */
export class Shard {
  #child: ChildProcess | undefined
  readonly #env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv = {}) {
    this.#env = { ...process.env, ...env }
  }

  /** Runs one test file. If the process dies, the file fails and the next file gets a new process. */
  async run(file: string): Promise<FileResult> {
    this.#child ??= fork(script, [], { env: this.#env, execArgv: ['--import', preload, ...heapFlags] })
    const child = this.#child
    const started = performance.now()
    return new Promise((resolve) => {
      const settle = (result: FileResult) => {
        child.off('message', settle)
        child.off('exit', onExit)
        resolve(result)
      }
      const onExit = (code: number | null, signal: string | null) => {
        this.#child = undefined
        const error = `the test process ended with ${signal ?? `exit code ${code}`}`
        const ms = performance.now() - started
        settle({
          file,
          tests: [{ name: file, nesting: 0, outcome: 'failed', ms, error }],
          ms,
          cpuMs: 0,
          memoryMb: 0,
        })
      }
      child.on('message', settle)
      child.on('exit', onExit)
      child.send(file)
    })
  }

  /** Ends the process. The next file gets a new one. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.disconnect()
    await ended
  }
}
