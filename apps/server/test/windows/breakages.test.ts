import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindows } from '@oxbow/sdk/windows'
import { testSeed } from '@oxbow/testkit/seed'
import { stop } from 'esbuild'
import fc from 'fast-check'
import { breakWindows } from './break-windows.ts'
import { windowBreakages } from './breakages.ts'
import { histories, playHistory } from './history.ts'
import { Scene } from './scene.ts'
import { createCounts, type TestedWindows } from './screen.ts'

const rounds = 3
/** The test ends when this many are detected. A rare breakage may need hundreds of histories. */
const minDetected = 7
/** Ten histories are usually enough. Chance can require several times as many. */
const maxHistories = 150

test(`generated histories detect at least ${minDetected} deliberate breakages of windows`, async (t) => {
  await using scene = await Scene.start()
  // A difference that the intact windows also show does not count as detection.
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
  // The process of esbuild would otherwise use its memory until the tests end.
  await stop()

  const count = Object.keys(windowBreakages).length
  for (const history of fc.sample(fc.noBias(histories(rounds)), { seed: testSeed, numRuns: maxHistories })) {
    number++
    await playHistory(scene, history, [intact, ...unseen.values()])
    if (count - unseen.size >= minDetected) break
  }

  const detected = count - unseen.size
  t.diagnostic(`${detected} of ${count} detected; not detected: ${[...unseen.keys()].join('; ') || 'none'}`)
  assert.ok(detected >= minDetected)
})
