import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '@oxbow/contract/openapi'

// Writes docs/api/openapi.json from the contract; with --check, says whether it is what the contract makes.
const file = 'docs/api/openapi.json'
const made = `${JSON.stringify(openApiDocument(), null, 2)}\n`

if (!process.argv.includes('--check')) {
  mkdirSync('docs/api', { recursive: true })
  writeFileSync(file, made)
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== made) {
  process.stderr.write(`${file} is not what the contract makes. Run: npm run docs\n`)
  process.exitCode = 1
}
