import { writeFileSync } from 'node:fs'
import { drawPerformancePlots } from './performance-plots.ts'
import { readResults } from './results.ts'

// npm run plots   draws the plots of docs/performance.md from docs/performance.json
for (const [name, svg] of drawPerformancePlots(readResults('docs/performance.json').results)) {
  const path = `docs/images/${name}.svg`
  writeFileSync(path, svg)
  process.stdout.write(`${path}\n`)
}
