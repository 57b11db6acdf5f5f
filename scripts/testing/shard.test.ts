import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { Shard } from './shard.ts'

// Inside the project, so that what the files import is found.
mkdirSync('.cache', { recursive: true })
const folder = mkdtempSync(resolve('.cache', 'shard-test-'))
const shard = new Shard()
after(async () => {
  await shard.close()
  rmSync(folder, { recursive: true })
})

/** Runs a test file with this text, and returns each test's outcome and name. */
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

test('a shard reports passed, failed, skipped and nested tests, and what a test printed', async () => {
  const outcomes = await run(`
    test('good', (t) => t.diagnostic('a line'))
    test('bad', () => assert.equal(1, 2))
    test('later', { skip: true }, () => {})
    test('outer', (t) => t.test('inner', () => {}))`)

  assert.deepEqual(outcomes, [
    'passed good',
    'note a line',
    'failed bad',
    'skipped later',
    'passed inner',
    'passed outer',
  ])
})

test('a file is over when its tests and hooks are, also where it leaves a timer running', async () => {
  const outcomes = await run(`
    let isReady = false
    let isOver = false
    before(() => { isReady = true })
    after(async () => { assert.ok(isOver); await null; throw new Error('seen') })
    test('with hooks', async () => { assert.ok(isReady); await null; isOver = true })
    setInterval(() => {}, 1_000_000)`)

  assert.deepEqual(outcomes, ['passed with hooks', 'failed after hook'])
})

test('a rejection that nothing handles fails its file', async () => {
  const outcomes = await run(`
    test('careless', async () => {
      Promise.reject(new Error('nobody waits for this'))
      await new Promise((done) => setImmediate(done))
    })`)

  assert.deepEqual(outcomes, ['failed an error that nothing handled', 'passed careless'])
})

test('an exception that nothing catches fails its file', async () => {
  const outcomes = await run(`
    test('careless', async () => {
      setImmediate(() => { throw new Error('nobody catches this') })
      await new Promise((done) => setTimeout(done, 20))
    })`)

  assert.deepEqual(outcomes, ['failed an error that nothing handled', 'passed careless'])
})

test('a file that cannot be loaded fails', async () => {
  assert.deepEqual(await run(`throw new Error('not today')`), ['failed the file'])
})

test('a process that dies fails its file, and the next file runs', async () => {
  assert.deepEqual(await run(`test('dies', () => process.exit(7))`), ['failed the file'])
  assert.deepEqual(await run(`test('lives', () => {})`), ['passed lives'])
})
