import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

// npm test [part of a path …] runs the test files whose path holds one of the given parts; all without any.
const wanted = process.argv.slice(2)
const files = globSync('{packages,apps,scripts}/**/*.test.ts', { exclude: (name) => name === 'node_modules' })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()

if (files.length === 0) {
  process.stderr.write(`No test file matches ${wanted.join(', ')}\n`)
  process.exit(1)
}

// Each file has a process of its own; what one compiled the next ones find.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled')

const unhooked = new URL('./unhooked.ts', import.meta.url).href

let passed = 0
let failed = 0
/** Milliseconds, by file. */
const spent = new Map<string, number>()

/** Returns when all of them are through. */
async function runTests(files: string[], concurrency: number): Promise<void> {
  if (files.length === 0) return
  const tests = run({ files, concurrency, timeout: 600_000, execArgv: ['--import', unhooked] })
  tests.on('test:pass', (event) => {
    if (event.details.type !== 'suite' && !event.skip && !event.todo) passed++
  })
  tests.on('test:fail', (event) => {
    if (event.details.type !== 'suite') failed++
  })
  for (const ended of ['test:pass', 'test:fail'] as const)
    tests.on(ended, ({ file, nesting, details }) => {
      if (file && nesting === 0) spent.set(file, (spent.get(file) ?? 0) + details.duration_ms)
    })
  tests.compose(new spec()).pipe(process.stdout, { end: false })
  await new Promise((ended) => tests.on('end', () => setImmediate(ended)))
}

// A fault test runs a fleet of its own and measures how long it pauses, so it has the machine to itself.
const isAlone = (file: string) => file.includes('/faults/')
await runTests(
  files.filter((file) => !isAlone(file)),
  availableParallelism(),
)
await runTests(files.filter(isAlone), 1)
if (wanted.length === 0) {
  const slowest = [...spent].sort(([, a], [, b]) => b - a).slice(0, 25)
  for (const [file, milliseconds] of slowest)
    process.stdout.write(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${relative('.', file)}\n`)
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
