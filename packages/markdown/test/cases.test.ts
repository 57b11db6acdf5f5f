import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  createRenderer,
  listLanguages,
  loadHighlighter,
  loadMathEngine,
  type Renderer,
} from '../src/index.ts'
import { cases, contextOf } from './cases/index.ts'

let renderer: Renderer

before(async () => {
  renderer = createRenderer({
    highlight: await loadHighlighter(listLanguages()),
    math: await loadMathEngine(),
  })
})

for (const { group, title, input, html, settings } of cases) {
  test(`the case ${group}: ${title} renders as expected`, () => {
    assert.equal(renderer.render(input, contextOf(settings)).html, html)
  })
}

test('test cases have unique names, and there are at least three hundred', () => {
  assert.equal(new Set(cases.map(({ group, title }) => `${group}: ${title}`)).size, cases.length)
  assert.ok(cases.length >= 300)
})
