import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindows } from '@oxbow/sdk/windows'
import { stop } from 'esbuild'
import fc from 'fast-check'
import { breakWindows } from './break-windows.ts'
import { windowBreakages } from './breakages.ts'
import { histories, playHistory } from './history.ts'
import { Scene } from './scene.ts'
import { createCounts, type TestedWindows } from './screen.ts'

/** With the seed that it prints, the test generates the same histories again. */
const seed = Number(process.env.OXBOW_MODEL_SEED ?? Math.trunc(Math.random() * 2 ** 31))
const numRuns = 40
const rounds = 3
/** A history that a rare breakage needs may be missing among the generated ones. */
const minDetected = 7

test(`${numRuns} generated histories detect at least ${minDetected} deliberate breakages of windows`, async (t) => {
  t.diagnostic(`seed ${seed}`)
  await using scene = await Scene.start()
  // A difference that the windows of the SDK have too is no detection of a breakage.
  const intact: TestedWindows = {
    createWindows,
    counts: createCounts(),
    onDifference(error) {
      throw error
    },
  }
  const unseen = new Map<string, TestedWindows>()
  let number = 0
  for (const [name, breakage] of Object.entries(windowBreakages)) {
    const onDifference = ({ message }: Error) => {
      unseen.delete(name)
      t.diagnostic(`history ${number} detected: ${name} (${message.split('\n')[0]})`)
    }
    unseen.set(name, { ...(await breakWindows(breakage)), counts: createCounts(), onDifference })
  }
  // The process of esbuild would keep its memory until the tests end.
  await stop()

  for (const history of fc.sample(fc.noBias(histories(rounds)), { seed, numRuns })) {
    number++
    await playHistory(scene, history, [intact, ...unseen.values()])
    if (unseen.size === 0) break
  }

  const count = Object.keys(windowBreakages).length
  const detected = count - unseen.size
  t.diagnostic(`${detected} of ${count} detected; not detected: ${[...unseen.keys()].join('; ') || 'none'}`)
  assert.ok(detected >= minDetected)
})
