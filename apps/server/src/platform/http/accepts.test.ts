import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersHtml } from './accepts.ts'

const cases: [accept: string | undefined, isHtml: boolean][] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html, application/json', false],
  ['text/html;q=0.8, application/json', false],
  ['text/html, application/json;q=0.9', true],
  ['text/html;level=1;q=0.3, */*;q=0.2', true],
  ['text/*;q=0.5, text/html;q=0.1, */*;q=0.3', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=2', false],
  ['text/html; q = 0.5', true],
  ['text/html;q=,;;,/', false],
  ['text/plain', false],
  ['text/event-stream', false],
]
for (const [accept, isHtml] of cases) {
  test(`Accept: ${accept} prefers ${isHtml ? 'HTML' : 'JSON'}`, () => {
    assert.equal(prefersHtml(accept), isHtml)
  })
}
