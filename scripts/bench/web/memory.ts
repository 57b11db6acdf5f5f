import { measureHeap, openMeasured } from '../../../apps/web/test/figures/measured-page.ts'
import { applyEvents, visitTopics } from '../../../apps/web/test/figures/memory.ts'
import { hashOf } from '../../../apps/web/test/figures/team.ts'
import { type Figure, print } from '../figures.ts'
import type { Bench } from './bench.ts'
import { judge } from './judge.ts'

const megabyte = 1_000_000
const eventCount = 100_000

/**
 * Measures the heap after the page has shown 2,000 messages, and after 200 conversations and many
 * events.
 */
export async function benchMemory({ browser, team, url }: Bench): Promise<Figure[]> {
  const { world, reader, topics, contents } = team
  await using measured = await openMeasured({ browser, world, person: reader, url, hash: hashOf(contents) })
  await visitTopics(measured, topics.slice(0, 20))
  const early = await measureHeap(measured)
  await visitTopics(measured, topics.slice(20, 80))
  const full = await measureHeap(measured)
  await visitTopics(measured, topics.slice(80))
  await applyEvents(measured, team, eventCount)
  const late = await measureHeap(measured)
  const [first, second, third] = [early, full, late].map((bytes) => (bytes / megabyte).toFixed(1))
  print(
    `memory: ${first} MB after 20 conversations, ${second} MB after 80, ${third} MB after all and the events`,
  )
  return [
    judge({
      label: 'heap after 2,000 messages',
      value: early / megabyte,
      limit: 40,
      unit: 'MB',
      digits: 1,
    }),
    judge({
      label: 'heap after 200 conversations, 100,000 events',
      value: late / early,
      limit: 1.3,
      unit: 'times',
      digits: 2,
    }),
  ]
}
