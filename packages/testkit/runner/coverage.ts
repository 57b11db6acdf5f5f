import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countCovered, type ScriptCoverage } from './covered-lines.ts'

// npm run coverage [-- PART_OF_A_PATH …]   runs the tests and lists the share of lines that ran for each source file
const folder = mkdtempSync(join(tmpdir(), 'oxbow-coverage-'))
const env = { ...process.env, NODE_V8_COVERAGE: folder }
const { status } = spawnSync(
  process.execPath,
  ['packages/testkit/runner/main.ts', ...process.argv.slice(2)],
  {
    env,
    stdio: 'inherit',
  },
)

const byFile = new Map<string, ScriptCoverage[]>()
for (const name of readdirSync(folder)) {
  const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: ScriptCoverage[] }
  for (const script of result) {
    if (!script.url.startsWith('file://')) continue
    const file = relative('.', fileURLToPath(script.url))
    if (!/^(apps|packages)\/[^/]+\/src\/.*(?<!\.test)\.ts$/.test(file)) continue
    byFile.set(file, [...(byFile.get(file) ?? []), script])
  }
}
rmSync(folder, { recursive: true })

let [allLines, allCovered] = [0, 0]
process.stdout.write('\nLines that ran, for each source file that was loaded:\n')
for (const [file, scripts] of [...byFile].sort()) {
  const { lines, covered } = countCovered(readFileSync(file, 'utf8'), scripts)
  allLines += lines
  allCovered += covered
  process.stdout.write(`${percent(covered, lines).padStart(7)}  ${file}\n`)
}
process.stdout.write(`${percent(allCovered, allLines).padStart(7)}  of ${allLines} lines\n`)
process.exitCode = status ?? 1

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`
}
