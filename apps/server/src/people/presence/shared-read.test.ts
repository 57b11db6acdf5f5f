import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRead } from './shared-read.ts'

/** Creates a shared read whose completion and clock the test controls. */
function controlled() {
  let now = 1_000
  let count = 0
  const underWay: (() => void)[] = []
  const waits: { until: number; end: () => void }[] = []
  const clock = {
    now: () => now,
    wait: (ms: number) => new Promise<void>((end) => waits.push({ until: now + ms, end })),
  }
  const read = async () => {
    await new Promise<void>((finish) => underWay.push(finish))
    return ++count
  }
  /** Runs all pending promise callbacks. */
  const nextTick = () => new Promise((done) => setImmediate(done))
  return {
    list: new SharedRead(read, clock),
    /** Number of reads that have started and not yet finished. */
    underWay: () => underWay.length,
    finishReading: async () => {
      await nextTick()
      underWay.shift()?.()
      await nextTick()
    },
    advance: async (ms: number) => {
      await nextTick()
      now += ms
      for (const wait of waits) if (wait.until <= now) wait.end()
      await nextTick()
    },
    now: () => now,
  }
}

test('concurrent callers share one read', async () => {
  const { list, now, finishReading } = controlled()

  const reads = [list.readAfter(now()), list.readAfter(now()), list.readAfter(now())]
  await finishReading()

  assert.deepEqual(await Promise.all(reads), [1, 1, 1])
})

test('a caller that arrives during a read gets the result of the next read, unless it accepts an older value', async () => {
  const { list, now, advance, underWay, finishReading } = controlled()
  const before = now()
  const first = list.readAfter(before)
  await advance(2)

  const second = list.readAfter(now())
  await advance(0)
  assert.equal(underWay(), 1)
  await finishReading()
  await advance(1_000)
  await finishReading()

  assert.deepEqual(await Promise.all([first, second]), [1, 2])
  assert.equal(await list.readAfter(before), 2)
})

test('after a read no other read starts for three times its duration', async () => {
  const { list, now, advance, underWay, finishReading } = controlled()
  const first = list.readAfter(now())
  await advance(10)
  await finishReading()
  await first

  const second = list.readAfter(now())
  await advance(29)
  assert.equal(underWay(), 0)
  await advance(1)
  assert.equal(underWay(), 1)

  await finishReading()
  assert.equal(await second, 2)
})

test('after a failed read the next call reads again', async () => {
  let failures = 1
  const list = new SharedRead(async () => {
    if (failures-- > 0) throw new Error('not now')
    return 'read'
  })

  await assert.rejects(list.readAfter(performance.now()), /not now/)
  assert.equal(await list.readAfter(performance.now()), 'read')
})
