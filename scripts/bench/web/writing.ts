import {
  openMeasured,
  readInteractions,
  slowDown,
  slowRate,
} from '../../../apps/web/test/figures/measured-page.ts'
import { useForOneMinute } from '../../../apps/web/test/figures/minute.ts'
import { hashOf, type Topic } from '../../../apps/web/test/figures/team.ts'
import { startTraffic } from '../../../apps/web/test/figures/traffic.ts'
import { measureKeys, measureSends } from '../../../apps/web/test/figures/writing.ts'
import { type Figure, median, print, quantile } from '../figures.ts'
import type { Bench } from './bench.ts'
import { judge } from './judge.ts'
import { profilePage } from './profile.ts'

const eventsPerSecond = 20
const typed = 'The quick brown fox jumps over the lazy dog and goes home again. '.repeat(3)
const sends = 40

/** Measures typing and sending while events arrive, with and without a network. */
export async function benchWriting(bench: Bench): Promise<Figure[]> {
  const { browser, team, url, profile } = bench
  const { world, reader, topics } = team
  const [topic] = topics
  if (!topic) throw new Error('the team has no topics')
  await using measured = await openMeasured({ browser, world, person: reader, url, hash: hashOf(topic) })
  const start = performance.now()
  const traffic = startTraffic(team, eventsPerSecond)
  const keys = await profilePage(measured, profile ? 'typing' : undefined, () => measureKeys(measured, typed))
  const online = await profilePage(measured, profile ? 'sending' : undefined, () =>
    measureSends(measured, sends),
  )
  print(
    `writing: ${((await traffic.stop()) / ((performance.now() - start) / 1000)).toFixed(1)} events/s arrived`,
  )
  await measured.page.context().setOffline(true)
  const offline = await measureSends(measured, sends)
  await measured.page.context().setOffline(false)
  const journey = await measureJourney(bench, topic)
  const medians = [keys, online, offline].map((times) => `${median(times).toFixed(1)} ms`)
  print(`writing: medians of a key ${medians[0]}, Enter ${medians[1]}, offline ${medians[2]}`)
  return [
    judge({
      label: 'key to letter, 20 events/s, p95',
      value: quantile(keys, 0.95),
      limit: 24,
      measuredBefore: 47,
      unit: 'ms',
    }),
    judge({
      label: 'interactions of a minute of work, slow processor, p95',
      value: quantile(journey.interactions, 0.95),
      limit: 100,
      measuredBefore: 1400,
      unit: 'ms',
    }),
    judge({ label: 'requests of a minute of work', value: journey.requests.length, limit: 40, unit: '' }),
    judge({
      label: 'Enter to own row, p95',
      value: quantile(online, 0.95),
      limit: 40,
      measuredBefore: 94,
      unit: 'ms',
    }),
    judge({
      label: 'Enter to own row, offline, p95',
      value: quantile(offline, 0.95),
      limit: 40,
      unit: 'ms',
    }),
  ]
}

/** Measures one minute of typical use on a slow processor, while events arrive. */
async function measureJourney({ browser, team, url }: Bench, topic: Topic) {
  const { world, reader } = team
  await using measured = await openMeasured({ browser, world, person: reader, url, hash: hashOf(topic) })
  await slowDown(measured, slowRate)
  const requests = await useForOneMinute(measured, team, eventsPerSecond)
  const interactions = await readInteractions(measured)
  print(
    `a minute of work: ${interactions.length} interactions above 16 ms, median ${median(interactions)} ms`,
  )
  return { requests, interactions }
}
