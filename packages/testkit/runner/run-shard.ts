import { registerHooks } from 'node:module'
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { testSeed } from '../src/seed.ts'
import { bySize } from '../src/size.ts'
import { beginTestProcess, endTestProcess, takeWarnings } from '../src/test-process.ts'
import { describeError } from './describe-error.ts'
import { takeAfterHooks } from './node-test.ts'
import type { FileResult, TestResult } from './results.ts'
import type { ShardRequest } from './shard.ts'

// Runs the test files that the parent process sends, one after the other in this process: loading
// the server takes longer than most files take to run, and compiled code runs faster. Node's runner
// ends a file when the event loop is empty. Here the event loop is never empty, because the channel
// to the parent and the nodes that files share stay open. So a file ends when its tests have ended,
// and its `after` hooks run then.

/** Time limit of one test. The longest model tests take half an hour on a slow machine. */
const testTimeoutMs = bySize({ gate: 600_000, long: 3_600_000 })

const nodeTest = new URL('./node-test.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL?.endsWith('.test.ts')
      ? { url: nodeTest, shortCircuit: true }
      : next(specifier, context),
})

/**
 * Maximum time that a file may continue after an unhandled error, because one of its tests may wait
 * forever.
 */
const unhandledErrorTimeoutMs = 20_000

/** Fails the current file; undefined between files. */
let failFile: ((error: unknown) => void) | undefined

process.on('uncaughtExceptionMonitor', (error) => failFile?.(error))
process.on('unhandledRejection', (error) => {
  // A late rejection from an earlier file ends the process, which fails that file.
  if (!failFile) throw error
  failFile(error)
})

async function runFile(file: string): Promise<FileResult> {
  const started = performance.now()
  const cpuBefore = process.cpuUsage()
  const tests: TestResult[] = []
  const fail = (name: string, error: unknown, nesting = 0, ms = 0) =>
    tests.push({
      name,
      nesting,
      outcome: 'failed',
      ms,
      error: `${describeError(error)}\nOXBOW_TEST_SEED=${testSeed} repeats its random choices.${describeWarnings()}`,
    })
  takeWarnings()
  let exitTimer: NodeJS.Timeout | undefined
  failFile = (error) => {
    fail('unhandled error', error)
    exitTimer ??= setTimeout(() => {
      process.stderr.write(`${file}: ${describeError(error)}\n`)
      process.exit(1)
    }, unhandledErrorTimeoutMs)
  }
  const path = resolve(file)
  const stream = run({ files: [path], isolation: 'none', timeout: testTimeoutMs })
  stream.on('test:pass', ({ name, nesting, skip, todo, details: { duration_ms: ms } }) => {
    // Node reports a file without tests as a test that passed.
    if (name === path) {
      if (!process.env.OXBOW_TEST_NAME) fail(name, new Error('the file has no test'))
    } else if (skip || todo)
      tests.push({ name, nesting, outcome: 'skipped', ms, ...(typeof skip === 'string' && { reason: skip }) })
    else tests.push({ name, nesting, outcome: 'passed', ms })
  })
  stream.on('test:fail', ({ name, nesting, details }) => {
    fail(name, details.error.cause ?? details.error, nesting, details.duration_ms)
  })
  stream.on('test:diagnostic', ({ message, nesting, file: from }) => {
    // Node ends each run with its totals, which belong to no file and are ignored.
    if (from) tests.push({ name: message, nesting, outcome: 'note', ms: 0 })
  })
  // Node ends a run on `beforeExit`, which never occurs here. If it is emitted early, Node waits
  // only for the tests.
  stream.once('test:dequeue', () => process.emit('beforeExit', 0))
  stream.resume()
  await new Promise((ended) => stream.on('end', () => setImmediate(ended)))
  for (const hook of takeAfterHooks()) {
    try {
      await limitTime(hook)
    } catch (error) {
      fail('after hook', error)
    }
  }
  clearTimeout(exitTimer)
  failFile = undefined
  const cpu = process.cpuUsage(cpuBefore)
  return {
    file: relative('.', file),
    tests,
    ms: performance.now() - started,
    cpuMs: (cpu.user + cpu.system) / 1000,
    memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  }
}

/** Describes what the nodes of this process logged before a test failed, which often explains the failure. */
function describeWarnings(): string {
  const lines = takeWarnings()
  return lines.length > 0 ? `\nThe nodes logged before:\n${lines.join('')}` : ''
}

/** Rejects if the hook takes longer than a test may. */
async function limitTime(hook: () => unknown): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`not finished after ${testTimeoutMs} ms`)), testTimeoutMs)
  await Promise.race([hook(), promise]).finally(() => clearTimeout(timer))
}

beginTestProcess()
process.on('message', async (request: ShardRequest) => {
  if ('file' in request) process.send?.(await runFile(request.file))
  else await end(() => process.send?.('ended', () => process.exit()))
})
// The runner died.
process.on('disconnect', () => end(() => process.exit()))

/** Stops what the test files left running, and exits, because other handles would keep the process alive. */
async function end(exit: () => void): Promise<void> {
  await endTestProcess().then(exit, (error) => {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  })
}
