import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentWords, matchMessage, parseQuery, topicWords } from '@oxbow/search'
import { judge, precision, readMessages, readQueries, recall, total } from '../relevance/evaluate.ts'
import { messageOf } from './message.ts'

const messages = readMessages()
const queries = readQueries()
const texts = messages.map(({ content, topic }) => messageOf(content, topic))
const words = texts.map(
  ({ topic, rendered_content }) => new Set([...contentWords(rendered_content), ...topicWords(topic)]),
)
// As the server does it: the words choose what is looked at.
const judged = await judge(messages, queries, async (query) => {
  const parsed = parseQuery(query)
  const isChosen = (own: Set<number> | undefined) =>
    parsed.needs.every((need) => need.some((word) => own?.has(word)))
  return texts.flatMap((text, index) => (isChosen(words[index]) && matchMessage(parsed, text) ? [index] : []))
})

test('the set is large enough to say something', () => {
  assert.ok(messages.length >= 2_000 && queries.length >= 150)
})

test('any two characters that stand together in a script without spaces are found, and nothing else', () => {
  const parts = judged.filter(({ query }) => query.kind === 'substring')
  assert.ok(parts.length >= 50)
  assert.equal(recall(total(parts)), 1)
  assert.equal(precision(total(parts)), 1)
})

test('what is found was meant, and what was meant is found', () => {
  assert.ok(precision(total(judged)) >= 0.97, `precision ${precision(total(judged))}`)
  assert.ok(recall(total(judged)) >= 0.97, `recall ${recall(total(judged))}`)
})
