import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTrigger } from './triggers.ts'

const cases: [string, string | undefined][] = [
  // The text before the caret, and the expected kind, start and query.
  ['@', 'person 0 ""'],
  ['@iris', 'person 0 "iris"'],
  ['Hello @iris gar', 'person 6 "iris gar"'],
  ['(@_otto', 'person 1 "otto"'],
  ['@**Iris', 'person 0 "Iris"'],
  ['iris@example', undefined],
  ['@ iris', undefined],
  ['@iris  gardener', undefined],
  ['#', 'stream 0 ""'],
  ['see #gard', 'stream 4 "gard"'],
  ['#**garden>', 'topic 0 ""'],
  ['see #**garden>ro', 'topic 4 "ro"'],
  ['a#b', undefined],
  [':ro', 'emoji 0 "ro"'],
  [':r', undefined],
  ['10:30', undefined],
  ['a :+1', 'emoji 2 "+1"'],
  ['```', 'language 3 ""'],
  ['a\n```py', 'language 5 "py"'],
  ['```\ncode\n```', undefined],
  ['`@iris', undefined],
  ['```\n@iris', undefined],
  ['```\ncode\n```\n@iris', 'person 13 "iris"'],
  ['<time', 'time 0 ""'],
  ['at <time:to', 'time 3 "to"'],
  ['/m', 'command 0 "m"'],
  ['a /m', undefined],
  [`@${'x'.repeat(90)}`, undefined],
]

for (const [text, expected] of cases)
  test(`the text ${JSON.stringify(text.slice(0, 30))} triggers ${expected ?? 'no suggestions'}`, () => {
    const found = findTrigger(text, text.length)
    assert.equal(found && `${found.kind} ${found.from} ${JSON.stringify(found.query)}`, expected)
  })

test('a silent mention and the stream of a topic are recognized', () => {
  const silent = findTrigger('@_x', 3)
  assert.ok(silent?.kind === 'person' && silent.isSilent)
  const topic = findTrigger('#**core team>b', 14)
  assert.ok(topic?.kind === 'topic' && topic.stream === 'core team')
})
