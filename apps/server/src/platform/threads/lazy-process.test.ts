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

const childModule = JSON.stringify(import.meta.resolve('./serve-parent-process.ts'))
const file = fileWith(`import { serveParentProcess } from ${childModule}
  serveParentProcess(async ({ say, wait, crash, env }) => {
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
  new LazyProcess<Question, unknown>(file, { timeoutMs: 60_000, maxWaiting: 5, ...options })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('one process answers requests in order, and bytes are passed unchanged', async () => {
  const child = start()
  assert.equal(child.pid, undefined)
  const bytes = new Uint8Array([0, 255, 10])
  const responses = await Promise.all([
    child.ask({ say: bytes, wait: 100 }),
    child.ask({ say: 'second' }),
    child.ask({ say: { third: true } }),
  ])
  assert.deepEqual(Uint8Array.from(responses[0] as Uint8Array), bytes)
  assert.deepEqual(responses.slice(1), ['second', { third: true }])
})

test('the process has none of the environment variables of its parent', async () => {
  assert.deepEqual(await start().ask({ env: true }), {})
})

test('a crashed process rejects its request, and the next request starts a new process', async () => {
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

test('a process that exceeds the timeout is killed', async () => {
  const child = start({ timeoutMs: 1_000 })
  // On a busy machine, even a short answer may take longer than the timeout.
  const askAgain = (say: number) =>
    eventually(() =>
      child.ask({ say }).catch((error) => {
        assert.equal(error.reason, 'too slow')
        return undefined
      }),
    )
  await askAgain(1)
  const pid = child.pid as number
  await assert.rejects(child.ask({ wait: 1e6 }), { reason: 'too slow' })
  await eventually(() => !isAlive(pid))
  assert.equal(await askAgain(2), 2)
})

test('requests beyond maxWaiting are refused at once', async () => {
  const child = start({ maxWaiting: 2 })
  const first = [1, 2, 3].map((say) => child.ask({ say, wait: 50 }))
  await assert.rejects(child.ask({ say: 4 }), { reason: 'too many' })
  assert.deepEqual(await Promise.all(first), [1, 2, 3])
})

test('an idle process ends after maxIdleMs', async () => {
  const child = start({ maxIdleMs: 50 })
  await child.ask({ say: 1 })
  const pid = child.pid as number
  await eventually(() => !isAlive(pid))
  assert.equal(await child.ask({ say: 2 }), 2)
})

test('ask() rejects with an error if the process ends before it is ready', async () => {
  const options = { timeoutMs: 60_000, maxWaiting: 5 }
  const broken = new LazyProcess(fileWith('process.exit(3)'), options)
  await assert.rejects(broken.ask({}), /before it was ready/)
})

test('ask() rejects if the process cannot be started, or never becomes ready, and later requests are answered', async () => {
  const child = start()
  const { execPath } = process
  process.execPath = join(directory, 'missing')
  const refused = child.ask({ say: 1 })
  process.execPath = execPath
  await assert.rejects(refused, /before it was ready/)
  assert.equal(await child.ask({ say: 2 }), 2)

  const options = { timeoutMs: 60_000, maxWaiting: 5, maxStartMs: 100 }
  const silent = new LazyProcess(fileWith('setTimeout(() => {}, 1e6)'), options)
  await assert.rejects(silent.ask({}), /took too long/)
})

test('an idle child process does not keep its parent alive', async () => {
  const script = `import { LazyProcess } from ${JSON.stringify(import.meta.resolve('./lazy-process.ts'))}
    const options = { timeoutMs: 60_000, maxWaiting: 5, maxIdleMs: 3_600_000 }
    const child = new LazyProcess(new URL(${JSON.stringify(file.href)}), options)
    await child.ask({ say: 1 })
    process.stdout.write(String(child.pid))`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(status, 0)
  await eventually(() => !isAlive(Number(stdout)))
})
