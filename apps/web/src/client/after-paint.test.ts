import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterPaint } from './after-paint.ts'

test('a function runs once, although the frame comes after the longest wait', async (t) => {
  let paint = () => {}
  const page = {
    document: { visibilityState: 'visible' },
    requestAnimationFrame: (frame: () => void) => (paint = frame),
  }
  Object.assign(globalThis, page)
  t.after(() => {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
  })
  let runs = 0
  await new Promise<void>((resolve) =>
    afterPaint(() => {
      runs++
      resolve()
    }),
  )
  paint()
  await sleep(20)
  assert.equal(runs, 1)
})
