import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { openApiDocument } from '@oxbow/contract/openapi'
import { findFaults, findUndescribed } from './prose-rules.ts'

// Checks the prose of the repository: forbidden words, openings of doc comments, test titles, and descriptions
// in the contract. CONTRIBUTING.md has the rules.

/** Parts of the repository that still have to be rewritten. Remove an entry when its part passes; add none. */
const partsToDo: readonly string[] = []

/** Files whose text must not change: the server compares migrations with their applied texts. */
const exceptions: readonly string[] = ['apps/server/src/migrations/']

const textFile = /\.(ts|tsx|js|mjs|css|html|md|sql|sh|json|yml|yaml|txt|toml)$/

const isChecked = (path: string): boolean =>
  textFile.test(path) && ![...partsToDo, ...exceptions].some((prefix) => path.startsWith(prefix))

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(isChecked)
const faults = tracked.flatMap((path) => findFaults({ path, text: readFileSync(path, 'utf8') }))
const undescribed = [...new Set(findUndescribed(openApiDocument()))]

for (const { path, line, problem } of faults) process.stderr.write(`${path}:${line}: ${problem}\n`)
for (const name of undescribed) {
  process.stderr.write(`${name} has no description: add one in packages/contract/src/descriptions\n`)
}
process.exitCode = faults.length + undescribed.length > 0 ? 1 : 0
