import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../src/eventually.ts'
import { Shard } from './shard.ts'

// The folder is inside the project, so that the imports of the files can be resolved.
mkdirSync('.cache', { recursive: true })
const folder = mkdtempSync(resolve('.cache', 'shard-test-'))
const lateFailures: string[] = []
const shard = new Shard({
  onLateFailure: ({ file, tests: [failed] }) => lateFailures.push(`${file}: ${failed?.error}`),
  exitTimeoutMs: 500,
})
after(async () => {
  await shard.close()
  rmSync(folder, { recursive: true })
})

const testProcess = resolve('packages/testkit/src/test-process.ts')

/** Runs a test file with this text, and returns the outcome and name of each test. */
async function run(text: string, file = join(folder, `${Math.random()}.test.ts`)): Promise<string[]> {
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'
     import { after, before, test } from 'node:test'
     import { atTestProcessEnd } from '${testProcess}'
     ${text}`,
  )
  const { tests } = await shard.run(file)
  return tests.map(({ outcome, name }) => `${outcome} ${name === file ? 'the file' : name}`)
}

test('a shard reports passed, failed, skipped and nested tests, and diagnostics', async () => {
  const outcomes = await run(`
    test('a test that passes', (t) => t.diagnostic('a line'))
    test('a test that fails', () => assert.equal(1, 2))
    test('a test to skip', { skip: true }, () => {})
    test('a test with subtests', (t) => t.test('inner', () => {}))`)

  assert.deepEqual(outcomes, [
    'passed a test that passes',
    'note a line',
    'failed a test that fails',
    'skipped a test to skip',
    'passed inner',
    'passed a test with subtests',
  ])
})

test('a file ends after its tests and hooks, even if it leaves a timer running', async () => {
  const outcomes = await run(`
    let isReady = false
    let isOver = false
    before(() => { isReady = true })
    after(async () => { assert.ok(isOver); await null; throw new Error('seen') })
    test('a test with hooks', async () => { assert.ok(isReady); await null; isOver = true })
    setInterval(() => {}, 1_000_000)`)

  assert.deepEqual(outcomes, ['passed a test with hooks', 'failed after hook'])
})

test('an unhandled rejection fails its test file', async () => {
  const outcomes = await run(`
    test('a test that goes on', async () => {
      Promise.reject(new Error('nobody waits for this'))
      await new Promise((done) => setImmediate(done))
    })`)

  assert.deepEqual(outcomes, ['failed unhandled error', 'passed a test that goes on'])
})

test('an uncaught exception fails its test file', async () => {
  const outcomes = await run(`
    test('a test that goes on', async () => {
      setImmediate(() => { throw new Error('nobody catches this') })
      await new Promise((done) => setTimeout(done, 20))
    })`)

  assert.deepEqual(outcomes, ['failed unhandled error', 'passed a test that goes on'])
})

test('a test file that cannot be loaded fails', async () => {
  assert.deepEqual(await run(`throw new Error('not today')`), ['failed the file'])
})

test('a process that dies fails its test file, and the next file runs', async () => {
  assert.deepEqual(await run(`test('dies', () => process.exit(7))`), ['failed the file'])
  assert.deepEqual(await run(`test('lives', () => {})`), ['passed lives'])
})

test('a file without tests fails', async () => {
  assert.deepEqual(await run('for (const name of []) test(name, () => {})'), ['failed the file'])
})

test('a test inside `describe` fails the file, because a shard cannot run it reliably', async () => {
  const outcomes = await run(`
    import { describe } from 'node:test'
    describe('several tests', () => { test('inner', () => {}); throw new Error('lost') })`)

  assert.deepEqual(outcomes, ['failed the file'])
})

test('a process that cannot end properly fails its last file', async () => {
  const file = join(folder, 'last.test.ts')
  await run(
    `atTestProcessEnd('a server', async () => { throw new Error('a server does not stop') })
    test('a test that passes', () => {})`,
    file,
  )
  await shard.close()

  assert.deepEqual(lateFailures.splice(0), [
    `${file}: the test process ended with exit code 1 after the tests of this file`,
  ])
})

test('a process that has stopped everything is killed if it does not exit, which fails no file', async () => {
  const pidFile = join(folder, 'last.pid')
  await run(`
    import { writeFileSync } from 'node:fs'
    process.once('exit', () => { for (;;); })
    test('a test that passes', () => writeFileSync('${pidFile}', String(process.pid)))`)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  await shard.close()

  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  assert.deepEqual(lateFailures, [])
})

test('a process that dies between two files fails the first of them, and the second runs', async () => {
  const file = join(folder, 'first.test.ts')
  const pidFile = join(folder, 'first.pid')
  await run(
    `import { writeFileSync } from 'node:fs'
    process.once('SIGUSR2', () => process.exit(3))
    test('a test that passes', () => writeFileSync('${pidFile}', String(process.pid)))`,
    file,
  )
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGUSR2')
  await eventually(() => lateFailures.length > 0)

  assert.deepEqual(lateFailures.splice(0), [
    `${file}: the test process ended with exit code 3 after the tests of this file`,
  ])
  assert.deepEqual(await run(`test('lives', () => {})`), ['passed lives'])
})

test('a failed test prints the seed that repeats its random choices, and a skipped one its reason', async () => {
  const file = join(folder, 'seed.test.ts')
  writeFileSync(
    file,
    `import { test } from 'node:test'
     test('a test that fails', () => { throw new Error('no') })
     test('a test that needs a program', { skip: 'faketime is not installed' }, () => {})`,
  )
  const { tests } = await shard.run(file)

  assert.match(tests[0]?.error ?? '', /OXBOW_TEST_SEED=\d+ repeats its random choices/)
  assert.equal(tests[1]?.reason, 'faketime is not installed')
})
