import { globSync, readFileSync } from 'node:fs'
import { allowedPatterns } from './patterns/allowed-patterns.ts'
import { findSlowPatterns } from './patterns/slow-patterns.ts'

const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}')
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const wrong = findSlowPatterns(files, allowedPatterns)
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
