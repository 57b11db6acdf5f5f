import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import {
  createRenderer,
  findReferences,
  HtmlTooLongError,
  listLanguages,
  loadHighlighter,
  loadMathEngine,
  type Renderer,
  toPlainText,
} from '../src/index.ts'
import { cases, contextOf } from './cases/index.ts'
import { firstShapes, pluginSeeds, type Shape, textOf, vary } from './support/pathological.ts'
import { createRandom } from './support/random.ts'
import { maxMs, timeOf } from './support/timing.ts'

const rounds = bySize({ gate: 20, long: 80 })
const keptShapes = 4
/** Only the shapes of `highlight`, one per language and seed, are more than this. */
const firstShapesInGate = 400
const context = contextOf()
let renderer: Renderer

before(async () => {
  renderer = createRenderer({
    highlight: await loadHighlighter(listLanguages()),
    math: await loadMathEngine(),
  })
  // The first renderings compile the code, so their times do not depend on the input.
  for (let warmUp = 0; warmUp < 5; warmUp++) {
    for (const { input, settings } of cases) renderer.render(input, contextOf(settings))
  }
})

function renderTime(shape: Shape): number {
  const text = textOf(shape)
  return timeOf(() => {
    try {
      renderer.render(text, context)
    } catch (error) {
      if (!(error instanceof HtmlTooLongError)) throw error
    }
  })
}

for (const [seed, plugin] of Object.keys(pluginSeeds).entries()) {
  test(`no generated text of 10,000 bytes makes ${plugin} slow`, (t) => {
    const random = createRandom(seed)
    const timed = (shape: Shape) => ({ shape, time: renderTime(shape) })
    let slowest = sampleInGate(firstShapes(plugin), firstShapesInGate).map(timed)
    for (let round = 0; round < rounds; round++) {
      slowest = slowest.toSorted((a, b) => b.time - a.time).slice(0, keptShapes)
      slowest.push(timed(vary(random.pick(slowest).shape, random)))
    }
    const [worst] = slowest.toSorted((a, b) => b.time - a.time)

    t.diagnostic(`slowest ${worst?.time.toFixed(1)} ms: ${JSON.stringify(worst?.shape).slice(0, 200)}`)
    assert.ok(worst && worst.time < maxMs, JSON.stringify(worst))
  })
}

const handWritten: { [title: string]: string } = {
  'a long gap in the target of a link': `[a](b${' '.repeat(9900)}c)`,
  'many starts of one invalid URL': `${',http://x/'.repeat(900)})b`,
  'runs of backticks of every length': Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(
    ' ',
  ),
  'a wide table': `|${'a|'.repeat(2400)}\n|${'-|'.repeat(2400)}`,
  'a wide header over many rows': `|${'a|'.repeat(1200)}\n|${'-|'.repeat(1200)}\n${'|\n'.repeat(2500)}`,
  'many tables': '***\n**\n# a|b\n-|-\n'.repeat(555),
  'nested lists': Array.from({ length: 97 }, (_, depth) => `${' '.repeat(depth * 2)}* a`).join('\n'),
  'nested quotes': `${'>'.repeat(9998)}a`,
  'nested fences': Array.from({ length: 130 }, (_, depth) => `${'`'.repeat(133 - depth)}quote`).join('\n'),
  'many bare > above text': `${'>\n'.repeat(4990)}a`,
  'many bare > above a heading': `${'>\n'.repeat(4990)}# a`,
  'alternating bullets and numbers': '* a\n1. b\n'.repeat(1100),
  'list markers under text': 'a\n  * b\n'.repeat(1200),
  'runs of backticks that grow shorter': Array.from({ length: 139 }, (_, run) => '`'.repeat(140 - run)).join(
    'a',
  ),
  'links in the targets of links': `${'[a](javascript:'.repeat(600)}${')'.repeat(600)}`,
  'an e-mail address with many labels': `x@${'a.'.repeat(4990)}*`,
  'one long formula': `$$${'x'.repeat(9990)}$$`,
  'a fence with a long gap before a line separator': `\`\`\`${' '.repeat(1_000)}\u2028a`,
  'a fence with a long language before a line separator': `\`\`\`${'a'.repeat(9_980)}\u2028a`,
  'a bullet with a long gap before a line separator': `-${' '.repeat(9_980)}\u2028a`,
  'a long interpreter in the first line of code': `\`\`\`\n#!/a${'0'.repeat(9_980)}<`,
  'one long word of code': `\`\`\`java\n${'a'.repeat(9980)}`,
}

for (const [title, text] of Object.entries(handWritten)) {
  test(`a hand-written hostile text renders in bounded time: ${title}`, () => {
    const time = timeOf(() => renderer.render(text, context))
    assert.ok(time < maxMs, `${time} ms`)
  })
}

test('alert words that were crafted for a text are found in bounded time', () => {
  const alertWords = new Set(Array.from({ length: 100 }, (_, length) => `.${'.'.repeat(length)}a.`))
  assert.ok(timeOf(() => renderer.render('.'.repeat(10_000), { alertWords })) < maxMs)
})

test('findReferences and toPlainText take bounded time', () => {
  for (const plugin of Object.keys(pluginSeeds)) {
    for (const shape of sampleInGate(firstShapes(plugin), firstShapesInGate)) {
      const text = textOf(shape)
      assert.ok(timeOf(() => findReferences(text)) < maxMs, JSON.stringify(shape))
    }
  }
  const { html } = renderer.render('> * [a](b) **c** `d`\n'.repeat(450), context)
  assert.ok(timeOf(() => toPlainText(html)) < maxMs)
})

test('plain text is produced from many quoted lines in bounded time', () => {
  const quotes = Array.from({ length: 19 }, (_, depth) => `${'`'.repeat(30 - depth)}quote`).join('\n')
  const { html } = renderer.render(`${quotes}\n${'a\n'.repeat(4600)}`, context)
  const time = timeOf(() => toPlainText(html))
  assert.ok(time < maxMs, `${time} ms`)
})
