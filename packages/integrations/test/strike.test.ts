import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer } from '@oxbow/markdown'
import { strike } from '../src/markdown/strike.ts'

test('every line of a deleted text is struck through', () => {
  assert.equal(strike('Cold.\r\n\n * very ~~~ ~cold~'), '~~Cold.~~\n\n~~* very ∼ ∼cold∼~~')
  assert.equal(strike(' ~~ \n'), '')
})

test('struck text renders as deleted text', () => {
  const { html } = createRenderer().render(strike('Cold.\n```\n~10 °C'))
  assert.equal(html.match(/<del>/g)?.length, 3)
})
