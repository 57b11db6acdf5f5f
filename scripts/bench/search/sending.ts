import { listContentTerms, listTopicTerms } from '@oxbow/search'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { bound } from '../messages/bound.ts'
import { loadSends } from '../messages/sending/load-sends.ts'
import {
  connections,
  createSendScenario,
  type Measurement,
  measureOnce,
  showMeasurement,
} from '../messages/sending.ts'

const turns = 7
const seconds = 4
const minRatio = 0.75

/**
 * Measures the cost of the search index for a send. Two nodes are measured in turn; the database of
 * one has no index.
 */
export async function benchIndexing(): Promise<Figure[]> {
  await using indexed = await createSendScenario()
  await using bare = await createSendScenario()
  await bare.organization.session.query('drop index message_search')
  await using node = await startProbedNode(indexed.organization)
  await using bareNode = await startProbedNode(bare.organization)
  const turnAt = (scenario: typeof indexed, { url, probe }: typeof node) =>
    measureOnce(scenario, probe, () =>
      loadSends(url, scenario.sender, { form: scenario.form, connections, seconds }),
    )
  await turnAt(indexed, node)
  await turnAt(bare, bareNode)
  const found: { having: Measurement; without: Measurement }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [having, without] = [await turnAt(indexed, node), await turnAt(bare, bareNode)]
    found.push({ having, without })
    print(
      `turn ${turn}: with the index ${showMeasurement(having)}; without ${showMeasurement(without)}; ratio ${(having.rate / without.rate).toFixed(2)}`,
    )
  }
  const rate = (of: 'having' | 'without') => median(found.map((each) => each[of].rate))
  const ratio = median(found.map(({ having, without }) => having.rate / without.rate))
  return [
    {
      label: 'sends with the index beside sends without it',
      measured: `${ratio.toFixed(2)} (${Math.round(rate('having'))}/s and ${Math.round(rate('without'))}/s)`,
      wanted: bound(`at least ${minRatio}`, ratio >= minRatio),
    },
    {
      label: 'to find the words of such a message, which both do',
      measured: `${timeWords(indexed.form.content, indexed.form.topic).toFixed(1)} µs`,
    },
  ]
}

function timeWords(content: string, topic: string): number {
  const [html, rounds] = [`<p>${content}</p>`, 20_000]
  const start = performance.now()
  for (let round = 0; round < rounds; round++) {
    listContentTerms(html)
    listTopicTerms(topic)
  }
  return ((performance.now() - start) * 1000) / rounds
}
