import { readFileSync, writeFileSync } from 'node:fs'
import { writeResults } from '../bench/results.ts'
import { drawReport } from './report-html.ts'
import type { Run } from './run.ts'

/** Saves runs as JSON, which `--compare` reads, and as a page. */
export function writeRuns(runs: readonly Run[], { json, html }: { json?: string; html?: string }): void {
  if (json) {
    writeResults(
      json,
      runs.flatMap(({ results }) => results),
    )
    writeFileSync(json, `${JSON.stringify({ ...JSON.parse(readFileSync(json, 'utf8')), runs }, null, 1)}\n`)
  }
  if (html) writeFileSync(html, drawReport(runs))
}
