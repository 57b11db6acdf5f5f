import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContentTerms, listTopicTerms, matchMessage, parseQuery } from '@oxbow/search'
import { precision, readMessages, readQueries, recall, scoreQueries, total } from '../relevance/evaluate.ts'
import { messageOf } from './message.ts'

const messages = readMessages()
const queries = readQueries()
const texts = messages.map(({ content, topic }) => messageOf(content, topic))
const words = texts.map(
  ({ topic, rendered_content }) => new Set([...listContentTerms(rendered_content), ...listTopicTerms(topic)]),
)
// As on the server, index terms select the candidates.
const scores = await scoreQueries(messages, queries, async (query) => {
  const parsed = parseQuery(query)
  const isChosen = (own: Set<number> | undefined) =>
    parsed.needs.every((need) => need.some((word) => own?.has(word)))
  return texts.flatMap((text, index) => (isChosen(words[index]) && matchMessage(parsed, text) ? [index] : []))
})

test('the relevance set is large enough to be meaningful', () => {
  assert.ok(messages.length >= 2_000 && queries.length >= 150)
})

test('in scripts without spaces, search finds exactly the messages that contain the typed characters', () => {
  const parts = scores.filter(({ query }) => query.kind === 'substring')
  assert.ok(parts.length >= 50)
  assert.equal(recall(total(parts)), 1)
  assert.equal(precision(total(parts)), 1)
})

test('precision and recall of all queries stay above their limits', () => {
  assert.ok(precision(total(scores)) >= 0.97, `precision ${precision(total(scores))}`)
  assert.ok(recall(total(scores)) >= 0.97, `recall ${recall(total(scores))}`)
})
