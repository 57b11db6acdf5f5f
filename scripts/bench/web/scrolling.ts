import { openMeasured } from '../../../apps/web/test/figures/measured-page.ts'
import { scrollUpAndDown } from '../../../apps/web/test/figures/scrolling.ts'
import { hashOf, listIds } from '../../../apps/web/test/figures/team.ts'
import { type Figure, print } from '../figures.ts'
import type { Bench } from './bench.ts'
import { judge } from './judge.ts'
import { profilePage } from './profile.ts'

/** Measures scrolling 10,000 messages up and down by wheel. */
export async function benchScrolling({ browser, team, url, profile }: Bench): Promise<Figure[]> {
  const { world, reader, weather } = team
  await using measured = await openMeasured({ browser, world, person: reader, url, hash: hashOf(weather) })
  const ids = await listIds(world, weather)
  const ends = { first: ids[0] ?? 0, last: ids.at(-1) ?? 0 }
  const found = await profilePage(measured, profile ? 'scrolling' : undefined, () =>
    scrollUpAndDown(measured, ends),
  )
  const longShare = (100 * found.longFrames) / found.frames
  print(
    `scrolling: ${found.messages} messages, ${found.changes} changes of the rows, ${found.longFrames} of ${found.frames} frames above 50 ms`,
  )
  return [
    judge({ label: 'a visible row moves by', value: found.maxMoved, limit: 1, unit: 'px', digits: 2 }),
    judge({ label: 'frames above 50 ms', value: longShare, limit: 1, unit: '%', digits: 2 }),
    judge({ label: 'rows', value: found.maxRows, limit: 400, unit: '' }),
    judge({ label: 'nodes', value: found.maxNodes, limit: 15_000, unit: '' }),
  ]
}
