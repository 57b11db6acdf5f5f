import {
  precision,
  type QueryScore,
  readMessages,
  readQueries,
  recall,
  scoreQueries,
  total,
} from '../../../packages/search/relevance/evaluate.ts'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, print } from '../figures.ts'
import { bound } from '../messages/bound.ts'
import { Connection } from '../messages/connection.ts'
import { createSendScenario } from '../messages/sending.ts'

/** Measures precision and recall of search over messages in many languages, through a real node. */
export async function benchRelevance(): Promise<Figure[]> {
  await using scenario = await createSendScenario()
  await using node = await startProbedNode(scenario.organization)
  using connection = new Connection(node.url, scenario.sender)
  const messages = readMessages()
  const indexes = new Map<number, number>()
  for (const [index, { topic, content }] of messages.entries()) {
    const sent = await connection.post('/messages', { ...scenario.form, topic: topic.slice(0, 60), content })
    indexes.set((JSON.parse(sent) as { id: number }).id, index)
  }
  const judged = await scoreQueries(messages, readQueries(), async (query) => {
    const answer = await connection.get('/messages', {
      anchor: 'newest',
      num_before: '5000',
      num_after: '0',
      narrow: JSON.stringify([{ operator: 'search', operand: query }]),
    })
    const { messages: found } = JSON.parse(answer) as { messages: { id: number }[] }
    return found.flatMap(({ id }) => indexes.get(id) ?? [])
  })
  for (const { query, missing, unexpected } of judged) {
    for (const { content } of missing) print(`${query.query} does not find: ${content}`)
    for (const { content } of unexpected) print(`${query.query} should not find: ${content}`)
  }
  return figuresOf(judged)
}

function figuresOf(judged: readonly QueryScore[]): Figure[] {
  const figure = (label: string, some: readonly QueryScore[]): Figure => {
    const score = total(some)
    return {
      label,
      measured: `precision ${precision(score).toFixed(3)}, recall ${recall(score).toFixed(3)}; ${some.length} queries, ${score.expected} messages to find`,
    }
  }
  const byLanguage = Map.groupBy(judged, ({ query }) => query.language)
  const parts = judged.filter(({ query }) => query.kind === 'substring')
  const [found, all] = [recall(total(parts)), precision(total(judged))]
  return [
    ...[...byLanguage].map(([language, some]) => figure(language, some)),
    {
      ...figure('two characters and more in scripts without spaces', parts),
      wanted: bound('recall 1', found === 1),
    },
    { ...figure('all', judged), wanted: bound('precision at least 0.95', all >= 0.95) },
  ]
}
