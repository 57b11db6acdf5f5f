import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer } from '@oxbow/markdown'
import { strike } from '../src/markdown/strike.ts'

test('every line is struck through, whatever marks it has', () => {
  assert.equal(strike('Cold.\r\n\n * very ~~~ ~cold~'), '~~Cold.~~\n\n~~* very ∼ ∼cold∼~~')
  assert.equal(strike(' ~~ \n'), '')
})

test('what is struck renders as deleted', () => {
  const { html } = createRenderer().render(strike('Cold.\n```\n~10 °C'))
  assert.equal(html.match(/<del>/g)?.length, 3)
})
