import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { borrowBrowser } from '@oxbow/testkit/browser'
import { bySize } from '@oxbow/testkit/size'
import { type MeasuredPage, measureHeap, openMeasured } from './figures/measured-page.ts'
import { applyEvents, visitTopics } from './figures/memory.ts'
import { useForOneMinute } from './figures/minute.ts'
import { scrollUpAndDown } from './figures/scrolling.ts'
import { createTeam, hashOf, listIds, type Topic, wholeTeam } from './figures/team.ts'

// Measures figures that do not depend on the speed of the machine. `npm run bench -- web` measures
// the others.

/**
 * Maximum ratio of the heap after 200 conversations to the heap after 20. The goal is 1.3, but the
 * client caches 60 conversations to open them at once, and the heap contains little else.
 */
const maxHeapRatio = bySize({ gate: 1.4, long: 1.9 })

const team = await createTeam(
  bySize({
    // More messages than the client shows rows (400), so that rows are removed while it scrolls.
    gate: { ...wholeTeam, people: 20, streams: 10, topicsPerStream: 4, weatherReports: 500 },
    long: wholeTeam,
  }),
  { ownServer: bySize({ gate: false, long: true }) },
)
const borrowed = await borrowBrowser()
const { browser } = borrowed
after(async () => {
  await borrowed[Symbol.asyncDispose]()
  await team.world[Symbol.asyncDispose]()
})
const { world, reader, topics, weather } = team
const [topic] = topics as [Topic]
const open = (shown: Topic): Promise<MeasuredPage> =>
  openMeasured({ browser, world, person: reader, hash: hashOf(shown) })

test('visible rows do not jump while all messages are scrolled by wheel', async (t) => {
  await using measured = await open(weather)
  const ids = await listIds(world, weather)
  const found = await scrollUpAndDown(measured, { first: ids[0] ?? 0, last: ids.at(-1) ?? 0 })
  t.diagnostic(JSON.stringify(found))
  assert.equal(found.messages, ids.length)
  assert.ok(found.changes > ids.length / 100, `${found.changes} changes`)
  assert.ok(found.maxMoved <= 1, `a row moved by ${found.maxMoved} px`)
  assert.ok(found.maxRows <= 400, `${found.maxRows} rows`)
  assert.ok(found.maxNodes <= 15_000, `${found.maxNodes} nodes`)
  assert.deepEqual(measured.problems, [])
})

test('the heap stays small after 2,000 messages, and stops growing once the cache of conversations is full', async (t) => {
  await using measured = await open(topic)
  await visitTopics(measured, topics.slice(0, 20))
  const early = await measureHeap(measured)
  await visitTopics(measured, topics.slice(20, 80))
  const full = await measureHeap(measured)
  await visitTopics(measured, topics.slice(80))
  await applyEvents(measured, team, bySize({ gate: 2_000, long: 100_000 }))
  const late = await measureHeap(measured)
  t.diagnostic(`${early} bytes, then ${full} and ${late}: ${(late / early).toFixed(2)} times`)
  assert.ok(early <= 40_000_000, `${early} bytes`)
  assert.ok(late <= 1.15 * full, `${late} bytes after ${full}`)
  assert.ok(late <= maxHeapRatio * early, `${late} bytes after ${early}`)
})

test('a minute of typical use makes at most 40 requests', async (t) => {
  await using measured = await open(topic)
  const requests = await useForOneMinute(measured, team, 5)
  t.diagnostic(`${requests.length} requests: ${requests.join(', ')}`)
  assert.ok(requests.length > 5 && requests.length <= 40, requests.join('\n'))
})
