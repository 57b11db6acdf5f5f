import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer, HtmlTooLongError } from '../src/index.ts'
import { cases, contextOf } from './cases/index.ts'
import { firstShapes, pluginSeeds, textOf, vary } from './support/pathological.ts'
import { createRandom } from './support/random.ts'
import { timeOf } from './support/timing.ts'

/** The longest text that a server renders on its main thread, without the engines. */
const maxCharacters = 2_000
const maxMs = 20

test('no generated text of 2,000 characters blocks the thread for more than 20 ms', (t) => {
  const renderer = createRenderer()
  const context = contextOf()
  for (let warmUp = 0; warmUp < 5; warmUp++) {
    for (const { input, settings } of cases) renderer.render(input, contextOf(settings))
  }
  const render = (text: string) => {
    try {
      renderer.render(text, context)
    } catch (error) {
      if (!(error instanceof HtmlTooLongError)) throw error
    }
  }
  const random = createRandom(2_000)
  let worst = { time: 0, text: '' }
  for (const plugin of Object.keys(pluginSeeds)) {
    for (const shape of firstShapes(plugin)) {
      for (const tried of [shape, vary(shape, random), vary(vary(shape, random), random)]) {
        const text = textOf(tried).slice(0, maxCharacters)
        const time = timeOf(() => render(text))
        if (time > worst.time) worst = { time, text }
      }
    }
  }

  t.diagnostic(`slowest ${worst.time.toFixed(1)} ms: ${JSON.stringify(worst.text.slice(0, 80))}`)
  assert.ok(worst.time < maxMs, JSON.stringify(worst))
})
