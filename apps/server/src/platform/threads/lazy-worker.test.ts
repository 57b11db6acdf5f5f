import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { LazyWorker } from './lazy-worker.ts'

const threadModule = new URL('./serve-parent-thread.ts', import.meta.url).href

/** Writes the code of a worker that answers with this function, and returns the URL of its file. */
function threadOf(answer: string): URL {
  const file = join(mkdtempSync(join(tmpdir(), 'oxbow-thread-')), 'thread.ts')
  writeFileSync(file, `import { serveParentThread } from '${threadModule}'\nserveParentThread(${answer})\n`)
  return pathToFileURL(file)
}

test('each request gets its own response, no matter how long the others take', async () => {
  const worker = new LazyWorker<number, number>(
    threadOf('async (n: number) => { await new Promise((done) => setTimeout(done, 10 - n)); return n * 2 }'),
  )
  const responses = await Promise.all([1, 9, 5, 3].map((n) => worker.ask(n)))
  assert.deepEqual(responses, [2, 18, 10, 6])
})

test('a failed request does not affect other requests', async () => {
  const worker = new LazyWorker<string, string>(
    threadOf("(text: string) => { if (text === 'bad') throw new Error('no answer to that'); return text }"),
  )
  const [good, bad, after] = await Promise.allSettled([worker.ask('a'), worker.ask('bad'), worker.ask('b')])
  assert.deepEqual(
    [good, after].map((outcome) => outcome?.status),
    ['fulfilled', 'fulfilled'],
  )
  assert.match(String((bad as PromiseRejectedResult).reason), /no answer to that/)
})

test('a thread that dies rejects its requests, and the next request starts a new thread', async () => {
  const worker = new LazyWorker<string, string>(
    threadOf("(text: string) => { if (text === 'die') process.exit(1); return text }"),
  )
  await assert.rejects(worker.ask('die'), /ended before it answered/)
  assert.equal(await worker.ask('again'), 'again')
})

test('an idle thread ends, and another starts on demand', async () => {
  const worker = new LazyWorker<string, number>(threadOf('() => Math.random()'), 20)
  assert.equal(worker.isRunning, false)
  await worker.ask('once')
  assert.equal(worker.isRunning, true)
  await eventually(() => !worker.isRunning)
  assert.equal(typeof (await worker.ask('again')), 'number')
})

test('a request made while the idle worker thread ends is answered by a new thread', async () => {
  const worker = new LazyWorker<number, number>(threadOf('(n: number) => n'), 5)
  for (let n = 0; n < bySize({ gate: 6, long: 100 }); n++) {
    assert.equal(await worker.ask(n), n)
    await setTimeout(4 + (n % 3))
  }
})
