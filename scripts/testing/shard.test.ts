import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { Shard } from './shard.ts'

// The folder is inside the project, so that the imports of the files can be resolved.
mkdirSync('.cache', { recursive: true })
const folder = mkdtempSync(resolve('.cache', 'shard-test-'))
const shard = new Shard()
after(async () => {
  await shard.close()
  rmSync(folder, { recursive: true })
})

/** Runs a test file with this text, and returns the outcome and name of each test. */
async function run(text: string): Promise<string[]> {
  const file = join(folder, `${Math.random()}.test.ts`)
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'
     import { after, before, test } from 'node:test'
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
