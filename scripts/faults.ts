import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { deliberateFaults } from './testing/deliberate-faults.ts'

// npm run faults   puts one deliberate fault after the other into the source files and runs the tests that must
// notice it. Each file is put back afterwards. Fails where a fault is not noticed.
let unnoticed = 0
for (const [name, { file, find, replace, tests }] of Object.entries(deliberateFaults)) {
  const source = readFileSync(file, 'utf8')
  if (source.split(find).length !== 2) {
    process.stdout.write(`STALE   ${name}: ${file} no longer contains this once: ${find}\n`)
    unnoticed++
    continue
  }
  const started = performance.now()
  try {
    writeFileSync(
      file,
      source.replace(find, () => replace),
    )
    const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...tests], { stdio: 'ignore' })
    if (status === 0) unnoticed++
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${status === 0 ? 'MISSED ' : 'noticed'} ${name} (${seconds} s)\n`)
  } finally {
    writeFileSync(file, source)
  }
}
const count = Object.keys(deliberateFaults).length
process.stdout.write(`${count - unnoticed} of ${count} deliberate faults noticed\n`)
process.exitCode = unnoticed > 0 ? 1 : 0
