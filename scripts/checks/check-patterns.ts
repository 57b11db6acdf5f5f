import { globSync, readFileSync } from 'node:fs'
import { KeptResults, keyOf } from './kept-results.ts'
import { allowedPatterns } from './patterns/allowed-patterns.ts'
import { findForbiddenPatterns, listSlowPatterns, type SlowPattern } from './patterns/slow-patterns.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
/** Everything besides a file's content that decides which of its patterns are slow. */
const environment = keyOf(
  ...globSync('scripts/checks/patterns/*.ts').sort().map(read),
  read('package-lock.json'),
)
const kept = new KeptResults<SlowPattern[]>('slow-patterns', { maxEntries: 10_000 })
const slow = globSync('{apps,packages}/*/src/**/*.{ts,tsx}')
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .sort()
  .flatMap((path) => {
    const text = read(path)
    return kept.compute(keyOf(environment, path, text), () => listSlowPatterns({ path, text }))
  })
kept.save()
const wrong = findForbiddenPatterns(slow, allowedPatterns)
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
