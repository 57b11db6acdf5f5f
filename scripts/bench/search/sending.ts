import { contentWords, topicWords } from '@oxbow/search'
import { startProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { bound } from '../messages/bound.ts'
import { loadSends } from '../messages/sending/load-sends.ts'
import { connections, plantField, showTurn, type Turn, takeTurn } from '../messages/sending.ts'

const turns = 7
const seconds = 4
const least = 0.75

/** What the index costs a send: two nodes with a database each take turns, and one of the databases has none. */
export async function benchIndexing(): Promise<Figure[]> {
  await using indexed = await plantField()
  await using bare = await plantField()
  await bare.village.session.query('drop index message_search')
  await using node = await startProbedNode(indexed.village)
  await using bareNode = await startProbedNode(bare.village)
  const turnAt = (field: typeof indexed, { url, probe }: typeof node) =>
    takeTurn(field, probe, () => loadSends(url, field.sender, { form: field.form, connections, seconds }))
  await turnAt(indexed, node)
  await turnAt(bare, bareNode)
  const found: { having: Turn; without: Turn }[] = []
  for (let turn = 1; turn <= turns; turn++) {
    const [having, without] = [await turnAt(indexed, node), await turnAt(bare, bareNode)]
    found.push({ having, without })
    say(
      `turn ${turn}: with the index ${showTurn(having)}; without ${showTurn(without)}; ratio ${(having.rate / without.rate).toFixed(2)}`,
    )
  }
  const rate = (of: 'having' | 'without') => median(found.map((each) => each[of].rate))
  const ratio = median(found.map(({ having, without }) => having.rate / without.rate))
  return [
    {
      what: 'sends with the index beside sends without it',
      measured: `${ratio.toFixed(2)} (${Math.round(rate('having'))}/s and ${Math.round(rate('without'))}/s)`,
      wanted: bound(`at least ${least}`, ratio >= least),
    },
    {
      what: 'to find the words of such a message, which both do',
      measured: `${timeWords(indexed.form.content, indexed.form.topic).toFixed(1)} µs`,
    },
  ]
}

function timeWords(content: string, topic: string): number {
  const [html, rounds] = [`<p>${content}</p>`, 20_000]
  const start = performance.now()
  for (let round = 0; round < rounds; round++) {
    contentWords(html)
    topicWords(topic)
  }
  return ((performance.now() - start) * 1000) / rounds
}
