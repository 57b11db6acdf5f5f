import { type Figure, median, print } from '../figures.ts'
import { record } from '../results.ts'
import type { SharedArchives } from './archive/shared-archives.ts'
import { bound } from './bound.ts'
import { PlanFile } from './plan-file.ts'
import { type KindOfPage, kindsOfPages } from './reading/kinds-of-pages.ts'
import { openPageReader, type Reading } from './reading/page-reader.ts'

const rounds = 25
/**
 * Number of rounds that are not measured, in which PostgreSQL tries custom plans before it chooses
 * one.
 */
const warmUpRounds = 8
/** A kind of page is no longer measured after this time. */
const maxTotalMs = 20_000
const maxSqlMs = 15
const maxGrowth = 1.5

/**
 * Measures pages of 100 messages in an archive and in one twenty times as large. Both are measured
 * in turn, so that noise of the machine affects both.
 */
export async function benchReading(archives: SharedArchives): Promise<Figure[]> {
  await using small = await openPageReader(await archives.small())
  await using large = await openPageReader(await archives.large())
  const pages = kindsOfPages(small.archive).map((kind, index) => ({
    kind,
    spent: 0,
    small: { pageReader: small, kind, readings: [] as Reading[] },
    large: {
      pageReader: large,
      kind: kindsOfPages(large.archive)[index] as KindOfPage,
      readings: [] as Reading[],
    },
  }))
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const page of pages.filter(({ spent }) => spent < maxTotalMs)) {
      const start = performance.now()
      for (const { pageReader, kind, readings } of [page.small, page.large])
        readings.push(await pageReader.read(kind))
      page.spent += performance.now() - start
    }
  }
  const plans = new PlanFile()
  const figures: Figure[] = []
  for (const { kind, small, large } of pages) {
    const { figure, isReached } = figureOf(kind, settled(small.readings), settled(large.readings))
    figures.push(figure)
    for (const { pageReader, readings } of [small, large]) {
      const value = median(settled(readings).map(({ request }) => request))
      const { rows: count } = pageReader.archive
      record({ bench: 'pages', name: kind.label, count, value, unit: 'ms', better: 'less' })
    }
    const statement = large.readings.at(-1)?.statement
    if (!isReached && statement) await plans.add(large.pageReader.archive.session, kind.label, statement)
  }
  if (plans.path) print(`plans of statements over their bound: ${plans.path}`)
  return figures
}

/** Removes the warm-up rounds. Slow kinds of pages have fewer rounds, so fewer are removed. */
const settled = (readings: readonly Reading[]) =>
  readings.slice(Math.min(warmUpRounds, Math.floor(readings.length / 2)))

function figureOf(kind: KindOfPage, small: readonly Reading[], large: readonly Reading[]) {
  const requestOf = (readings: readonly Reading[]) => median(readings.map(({ request }) => request))
  const sqlOf = (readings: readonly Reading[]) =>
    median(readings.map(({ statement }) => statement.milliseconds))
  const countOf = (readings: readonly Reading[]) => readings.at(-1)?.messages
  const processor = median(large.map((reading) => reading.processor ?? Number.NaN))
  const growth = requestOf(large) / requestOf(small)
  const isReached = growth <= maxGrowth && sqlOf(large) <= maxSqlMs
  const figure: Figure = {
    label: `${kind.isExtra ? '    also ' : '(c) '}${kind.label}`,
    measured: `${requestOf(large).toFixed(1)} ms, ${growth.toFixed(2)} times ${requestOf(small).toFixed(1)} ms; SQL ${sqlOf(large).toFixed(1)} ms, ${(sqlOf(large) / sqlOf(small)).toFixed(2)} times, processor ${processor.toFixed(1)} ms; ${countOf(small)} and ${countOf(large)} messages`,
    wanted: bound(
      kind.isExtra ? 'the same' : `at most ${maxGrowth} times, SQL under ${maxSqlMs} ms`,
      isReached,
    ),
  }
  return { figure, isReached }
}
