import {
  openMeasured,
  readProcessorTime,
  readShifts,
  readStart,
} from '../../../apps/web/test/figures/measured-page.ts'
import { readFirstLoad } from '../../../apps/web/test/figures/starting.ts'
import { hashOf } from '../../../apps/web/test/figures/team.ts'
import { type Figure, median, print } from '../figures.ts'
import type { Bench } from './bench.ts'
import { judge } from './judge.ts'

const rounds = 5

/**
 * Measures the start of the client at a topic with an empty cache: sizes, requests, and time until
 * messages are painted.
 */
export async function benchStarting({ browser, team, url }: Bench): Promise<Figure[]> {
  const [topic] = team.topics
  if (!topic) throw new Error('the team has no topics')
  const open = (isSlow: boolean) =>
    openMeasured({ browser, world: team.world, person: team.reader, url, hash: hashOf(topic), isSlow })
  const [usual, slow]: [number[], number[]] = [[], []]
  const processor: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [isSlow, times] of [
      [false, usual],
      [true, slow],
    ] as const) {
      await using measured = await open(isSlow)
      times.push(await readStart(measured))
      if (!isSlow) processor.push(await readProcessorTime(measured))
    }
  }
  await using last = await open(false)
  const load = await readFirstLoad(last)
  const shift = (await readShifts(last)).reduce((sum, { value }) => sum + value, 0)
  print(`requests of the first screen:\n  ${load.requests.join('\n  ')}`)
  print(`and ${load.pictures.length} pictures of people`)
  print(`processor time of the page until the first messages, median: ${median(processor).toFixed(0)} ms`)
  return [
    judge({
      label: 'scripts of the first screen',
      value: load.scripts / 1000,
      limit: 120,
      unit: 'KB gz',
      digits: 1,
    }),
    judge({
      label: 'styles of the first screen',
      value: load.styles / 1000,
      limit: 16,
      unit: 'KB gz',
      digits: 1,
    }),
    judge({
      label: 'requests of the first screen',
      value: load.requests.length,
      limit: 8,
      measuredBefore: 11,
      unit: '',
    }),
    judge({
      label: 'requests to the API',
      value: load.apiRequests.length,
      limit: 1,
      measuredBefore: 3,
      unit: '',
    }),
    judge({
      label: 'cold start, median',
      value: median(usual),
      limit: 900,
      measuredBefore: 1565,
      unit: 'ms',
    }),
    judge({
      label: 'cold start, slow, median',
      value: median(slow),
      limit: 3500,
      unit: 'ms',
    }),
    judge({ label: 'layout shift after the first paint', value: shift, limit: 0, unit: '', digits: 4 }),
  ]
}
