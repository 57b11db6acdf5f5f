import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quoteAnswer } from './problems.ts'

test('a quoted answer cannot end its code block, not even with backquotes around null characters', () => {
  assert.equal(quoteAnswer(Buffer.from('``\0`\n**bold**')).markdown, '````text\n```\n**bold**\n````')
})

test('an empty answer is described, not quoted', () => {
  for (const body of ['', ' \n', '\0'])
    assert.equal(quoteAnswer(Buffer.from(body)).markdown, 'The answer was empty.')
})
