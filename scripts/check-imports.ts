import { globSync, readFileSync } from 'node:fs'
import { checkImports, type SourceFile } from './import-arrows.ts'

const files: SourceFile[] = globSync('{packages,apps}/*/src/**/*.ts').map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))
const wrong = checkImports(files)
for (const line of wrong) process.stderr.write(`${line}\n`)
process.exitCode = wrong.length > 0 ? 1 : 0
