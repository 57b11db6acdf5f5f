import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from '../../../scripts/build/build-web.ts'
import { bundleOxbow } from '../../../scripts/build/bundle-oxbow.ts'
import { bySize } from '../src/size.ts'
import { countProcesses } from './count-processes.ts'
import { Report } from './report.ts'
import { Shard } from './shard.ts'
import { laneOf, listTestFiles } from './test-files.ts'
import { chooseTestsSince } from './tests-since.ts'
import { watchTests } from './watch-tests.ts'

// npm test [-- PART_OF_A_PATH …]   runs the test files whose path contains one of the parts, or all;
//                                  a part that begins with ! excludes files
//   --since REV only files that use a file that changed since a commit or branch, and why
//   --list      only lists the files
//   --unit      only files that start no server
//   --started   only files that start a server or a process
//   --long      at full size, as `.ci/long` does
//   --watch     run again after each change of a source file
//   --name TEXT only tests whose name contains the text
//   --inspect   in one process, which waits for a debugger
const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string' },
    list: { type: 'boolean' },
    unit: { type: 'boolean' },
    started: { type: 'boolean' },
    long: { type: 'boolean' },
    watch: { type: 'boolean' },
    name: { type: 'string' },
    inspect: { type: 'boolean' },
  },
})

/** A shard whose process uses more memory than this is replaced before the next file. */
const maxShardMemoryMb = 1_500

/** The slowest files of each lane. If one of them came last, the other processes would wait for it. */
const slowFiles =
  /oxbow-try|web\/test\/faults\/network|server\/test\/windows|cli\/test\/processes|markdown\/test\/pathological/

const headlessShell = '/usr/bin/chromium-headless-shell'

/** The test files that are running. */
const runningFiles = new Set<string>()

if (options.watch) await watchTests(process.argv.slice(2).filter((word) => word !== '--watch'))
else process.exitCode = await runTests()

/** Runs all selected tests and returns the exit code. */
async function runTests(): Promise<number> {
  const selected = listTestFiles(parts).filter(
    (file) => !options[laneOf(file) === 'unit' ? 'started' : 'unit'],
  )
  if (selected.length === 0) {
    const lane = options.unit ? ' of the tests that start no server (--unit)' : ''
    process.stderr.write(`No path of a test file${lane} contains ${parts.join(' or ')}.\n`)
    return 1
  }
  const files = options.since === undefined ? selected : chooseTestsSince(options.since, selected)
  if (options.list && options.since === undefined) process.stdout.write(`${files.join('\n')}\n`)
  if (options.list || files.length === 0) return 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopRunning)
  process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled')
  if (options.name) process.env.OXBOW_TEST_NAME = options.name
  if (options.long) process.env.OXBOW_LONG = '1'
  // The same engine without a window system needs two thirds of the time. The long lane uses the whole browser.
  else if (existsSync(headlessShell)) process.env.CHROMIUM ??= headlessShell
  const report = new Report({ listsTests: parts.length > 0 })
  const filesOf = (lane: string) => files.filter((file) => laneOf(file) === lane)
  const startsServers = files.some((file) => laneOf(file) !== 'unit')
  // The long lane starts the installed program instead, and coverage cannot be read from a bundle.
  if (startsServers && !options.long && !process.env.NODE_V8_COVERAGE)
    process.env.OXBOW_TEST_PROGRAM = await bundleOxbow()
  if (startsServers) process.env.OXBOW_WEB_DIR = await buildWeb()
  // The tests that are closest to a change come first, because they are the likeliest to fail.
  const queue =
    options.since === undefined
      ? [...filesOf('shared').sort(byDuration), ...filesOf('unit').sort(byDuration)]
      : files.filter((file) => laneOf(file) !== 'alone')
  const processes = options.inspect ? 1 : startsServers ? await countProcesses() : availableParallelism() + 1
  await runShards(queue, processes, report)
  await runShards(
    filesOf('alone').sort(byDuration),
    Math.min(processes, bySize({ gate: 2, long: 1 })),
    report,
  )
  return report.finish()
}

/** Names the running files, one of which may wait forever. The test processes end with this one. */
function stopRunning(): void {
  process.stdout.write(`\nInterrupted. Running: ${[...runningFiles].join(', ')}\n`)
  process.exit(1)
}

/** Compares test files for sorting: slow files come first, then other builds and tests of the whole server. */
function byDuration(a: string, b: string): number {
  const rankOf = (file: string) =>
    slowFiles.test(file) ? 0 : /^(scripts\/build|apps\/server)\/test\//.test(file) ? 1 : 2
  return rankOf(a) - rankOf(b)
}

async function runShards(queue: string[], count: number, report: Report): Promise<void> {
  await Promise.all(Array.from({ length: Math.min(count, queue.length) }, () => runShard(queue, report)))
}

/** Runs files from the front of `queue`, which other shards share, until it is empty. */
async function runShard(queue: string[], report: Report): Promise<void> {
  const shard = new Shard({
    onLateFailure: (result) => report.add(result),
    execArgv: options.inspect ? ['--inspect-brk'] : [],
  })
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    runningFiles.add(file)
    const result = await shard.run(file)
    runningFiles.delete(file)
    report.add(result)
    if (laneOf(file) === 'alone' || result.memoryMb > maxShardMemoryMb) await shard.close()
  }
  await shard.close()
}
