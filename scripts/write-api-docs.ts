import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '@oxbow/contract/openapi'

// Writes docs/api/openapi.json from the contract; with --check, fails if the file is out of date.
const file = 'docs/api/openapi.json'
const generated = `${JSON.stringify(openApiDocument(), null, 2)}\n`

if (!process.argv.includes('--check')) {
  mkdirSync('docs/api', { recursive: true })
  writeFileSync(file, generated)
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== generated) {
  process.stderr.write(`${file} is out of date with the contract. Run: npm run docs\n`)
  process.exitCode = 1
}
