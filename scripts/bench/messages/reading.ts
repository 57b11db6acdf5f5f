import { type Figure, median, say } from '../figures.ts'
import type { ArchiveKeeper } from './archive/archive-keeper.ts'
import { bound } from './bound.ts'
import { PlanFile } from './plan-file.ts'
import { type KindOfPage, kindsOfPages } from './reading/kinds-of-pages.ts'
import { openDesk, type Reading } from './reading/reading-desk.ts'

const rounds = 25
/** PostgreSQL looks at a few custom plans before it decides whether to keep one. */
const firstRounds = 8
/** Nobody waits longer for one kind of page. */
const patience = 20_000
const mostMilliseconds = 15
const mostGrowth = 1.5

/**
 * Pages of a hundred messages, from an archive and from one twenty times as large. They take turns, so that a noisy
 * machine is noisy for both.
 */
export async function benchReading(archives: ArchiveKeeper): Promise<Figure[]> {
  await using small = await openDesk(await archives.small())
  await using large = await openDesk(await archives.large())
  const pages = kindsOfPages(small.archive).map((kind, place) => ({
    kind,
    spent: 0,
    small: { desk: small, kind, readings: [] as Reading[] },
    large: { desk: large, kind: kindsOfPages(large.archive)[place] as KindOfPage, readings: [] as Reading[] },
  }))
  for (let round = 0; round < firstRounds + rounds; round++) {
    for (const page of pages.filter(({ spent }) => spent < patience)) {
      const start = performance.now()
      for (const { desk, kind, readings } of [page.small, page.large]) readings.push(await desk.read(kind))
      page.spent += performance.now() - start
    }
  }
  const plans = new PlanFile()
  const figures: Figure[] = []
  for (const { kind, small, large } of pages) {
    const { figure, isReached } = figureOf(kind, settled(small.readings), settled(large.readings))
    figures.push(figure)
    const statement = large.readings.at(-1)?.statement
    if (!isReached && statement) await plans.add(large.desk.archive.session, kind.what, statement)
  }
  if (plans.path) say(`plans of what is over its bound: ${plans.path}`)
  return figures
}

/** Without the first ones, of which slow kinds have fewer. */
const settled = (readings: readonly Reading[]) =>
  readings.slice(Math.min(firstRounds, Math.floor(readings.length / 2)))

function figureOf(kind: KindOfPage, small: readonly Reading[], large: readonly Reading[]) {
  const requestOf = (readings: readonly Reading[]) => median(readings.map(({ request }) => request))
  const sqlOf = (readings: readonly Reading[]) =>
    median(readings.map(({ statement }) => statement.milliseconds))
  const countOf = (readings: readonly Reading[]) => readings.at(-1)?.messages
  const processor = median(large.map((reading) => reading.processor ?? Number.NaN))
  const growth = requestOf(large) / requestOf(small)
  const isReached = growth <= mostGrowth && sqlOf(large) <= mostMilliseconds
  const figure: Figure = {
    what: `${kind.isExtra ? '    also ' : '(c) '}${kind.what}`,
    measured: `${requestOf(large).toFixed(1)} ms, ${growth.toFixed(2)} times ${requestOf(small).toFixed(1)} ms; SQL ${sqlOf(large).toFixed(1)} ms, ${(sqlOf(large) / sqlOf(small)).toFixed(2)} times, processor ${processor.toFixed(1)} ms; ${countOf(small)} and ${countOf(large)} messages`,
    wanted: bound(
      kind.isExtra ? 'the same' : `at most ${mostGrowth} times, SQL under ${mostMilliseconds} ms`,
      isReached,
    ),
  }
  return { figure, isReached }
}
