import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedList } from './shared-list.ts'

/** A list that is read when the test says so, by a clock that the test moves. */
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
  /** Lets everything run that waits for nothing but promises. */
  const turn = () => new Promise((done) => setImmediate(done))
  return {
    list: new SharedList(read, clock),
    /** Readings that have begun and not ended. */
    underWay: () => underWay.length,
    finishReading: async () => {
      await turn()
      underWay.shift()?.()
      await turn()
    },
    advance: async (ms: number) => {
      await turn()
      now += ms
      for (const wait of waits) if (wait.until <= now) wait.end()
      await turn()
    },
    now: () => now,
  }
}

test('callers that ask together share one reading', async () => {
  const { list, now, finishReading } = controlled()

  const asked = [list.readAfter(now()), list.readAfter(now()), list.readAfter(now())]
  await finishReading()

  assert.deepEqual(await Promise.all(asked), [1, 1, 1])
})

test('a caller that asks during a reading gets the next one, unless an older value will do', async () => {
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

test('after a reading the list rests three times as long as the reading took', async () => {
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

test('after a reading that failed the next one is tried', async () => {
  let failures = 1
  const list = new SharedList(async () => {
    if (failures-- > 0) throw new Error('not now')
    return 'read'
  })

  await assert.rejects(list.readAfter(performance.now()), /not now/)
  assert.equal(await list.readAfter(performance.now()), 'read')
})
