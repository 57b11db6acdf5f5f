import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { eventually } from '@oxbow/testkit'
import { LazyProcess, type LazyProcessOptions } from './lazy-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-process-'))
after(() => rmSync(directory, { recursive: true }))

interface Question {
  say?: unknown
  wait?: number
  crash?: boolean
  env?: boolean
}

const answerParent = JSON.stringify(import.meta.resolve('./answer-parent.ts'))
const file = fileWith(`import { answerParent } from ${answerParent}
  answerParent(async ({ say, wait, crash, env }) => {
    if (crash) process.kill(process.pid, 'SIGSEGV')
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait))
    return env ? process.env : say
  })`)

function fileWith(text: string): URL {
  const path = join(directory, `${text.length}.mjs`)
  writeFileSync(path, text)
  return pathToFileURL(path)
}

const start = (options: Partial<LazyProcessOptions> = {}) =>
  new LazyProcess<Question, unknown>(file, { patience: 60_000, mostWaiting: 5, ...options })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('questions are answered one after the other by one process, and bytes stay bytes', async () => {
  const child = start()
  assert.equal(child.pid, undefined)
  const bytes = new Uint8Array([0, 255, 10])
  const answers = await Promise.all([
    child.ask({ say: bytes, wait: 100 }),
    child.ask({ say: 'second' }),
    child.ask({ say: { third: true } }),
  ])
  assert.deepEqual(Uint8Array.from(answers[0] as Uint8Array), bytes)
  assert.deepEqual(answers.slice(1), ['second', { third: true }])
})

test('it knows nothing of our environment', async () => {
  assert.deepEqual(await start().ask({ env: true }), {})
})

test('one that crashes answers nothing, and the next question is asked of another', async () => {
  const child = start()
  await child.ask({ say: 1 })
  const { pid } = child
  const outcomes = await Promise.allSettled([child.ask({ crash: true }), child.ask({ say: 2 })])

  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.reason : outcome.value)),
    ['crashed', 2],
  )
  assert.notEqual(child.pid, pid)
})

test('one that is too slow is ended', async () => {
  const child = start({ patience: 1_000 })
  await child.ask({ say: 1 })
  const pid = child.pid as number
  await assert.rejects(child.ask({ wait: 1e6 }), { reason: 'too slow' })
  await eventually(() => !isAlive(pid))
  assert.equal(await child.ask({ say: 2 }), 2)
})

test('who would have to wait for too many is told at once', async () => {
  const child = start({ mostWaiting: 2 })
  const first = [1, 2, 3].map((say) => child.ask({ say, wait: 50 }))
  await assert.rejects(child.ask({ say: 4 }), { reason: 'too many' })
  assert.deepEqual(await Promise.all(first), [1, 2, 3])
})

test('one that nobody asks ends', async () => {
  const child = start({ keptIdle: 50 })
  await child.ask({ say: 1 })
  const pid = child.pid as number
  await eventually(() => !isAlive(pid))
  assert.equal(await child.ask({ say: 2 }), 2)
})

test('one that cannot start is a mistake of ours, not of whoever asked', async () => {
  const options = { patience: 60_000, mostWaiting: 5 }
  const broken = new LazyProcess(fileWith('process.exit(3)'), options)
  await assert.rejects(broken.ask({}), /ended before it was ready/)
})

test('a process that has nothing else to do ends, and the other with it', async () => {
  const script = `import { LazyProcess } from ${JSON.stringify(import.meta.resolve('./lazy-process.ts'))}
    const child = new LazyProcess(new URL(${JSON.stringify(file.href)}), { patience: 60_000, mostWaiting: 5 })
    await child.ask({ say: 1 })
    process.stdout.write(String(child.pid))`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  assert.equal(status, 0)
  await eventually(() => !isAlive(Number(stdout)))
})
