import { openMeasured, readProcessorTime } from '../../../apps/web/test/figures/measured-page.ts'
import { measureOpenings } from '../../../apps/web/test/figures/opening.ts'
import { hashOf } from '../../../apps/web/test/figures/team.ts'
import { type Figure, median, print, quantile } from '../figures.ts'
import type { Bench } from './bench.ts'
import { judge } from './judge.ts'
import { profilePage } from './profile.ts'

const topicCount = 50

/** Measures how long topics take to open by a click on their links, for the first time and again. */
export async function benchOpening({ browser, team, url, profile }: Bench): Promise<Figure[]> {
  const { world, reader, contents } = team
  await using measured = await openMeasured({ browser, world, person: reader, url, hash: hashOf(contents) })
  const topics = team.topics.slice(-topicCount)
  const fresh = await measureOpenings(measured, contents, topics)
  const before = await readProcessorTime(measured)
  const cached = await profilePage(measured, profile ? 'opening cached topics' : undefined, () =>
    measureOpenings(measured, contents, topics),
  )
  const processor = ((await readProcessorTime(measured)) - before) / topicCount
  print(`opening a cached topic and going back takes ${processor.toFixed(0)} ms of processor time`)
  print(
    `opening: not cached, median ${median(fresh).toFixed(0)} ms; cached, median ${median(cached).toFixed(0)} ms`,
  )
  return [
    judge({
      label: 'click to a screen of messages, cached, p95',
      value: quantile(cached, 0.95),
      limit: 60,
      measuredBefore: 73,
      unit: 'ms',
    }),
    judge({
      label: 'click to a screen of messages, p95',
      value: quantile(fresh, 0.95),
      limit: 200,
      unit: 'ms',
    }),
  ]
}
