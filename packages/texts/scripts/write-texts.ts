import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compileMessages, type Source } from './compile.ts'

// Compiles messages/*.json to src/*.generated.ts; with --check, fails if a file is out of date.
const folder = new URL('../messages/', import.meta.url)
const sources = Object.fromEntries(
  readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Source,
  ]),
)

for (const [name, text] of Object.entries(compileMessages(sources))) {
  const file = new URL(`../src/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`packages/texts/src/${name} is out of date with messages/. Run: npm run texts\n`)
    process.exitCode = 1
  }
}
