import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { deliberateFaults } from './testing/deliberate-faults.ts'

// npm run faults injects deliberate faults into the source files, one after the other, and runs the
// tests that must detect each. Restores each file afterwards. Fails if a fault is not detected.
let missed = 0
for (const [name, { file, find, replace, tests }] of Object.entries(deliberateFaults)) {
  const source = readFileSync(file, 'utf8')
  if (source.split(find).length !== 2) {
    process.stdout.write(`STALE   ${name}: ${file} does not contain this exactly once: ${find}\n`)
    missed++
    continue
  }
  const started = performance.now()
  try {
    writeFileSync(
      file,
      source.replace(find, () => replace),
    )
    const { status } = spawnSync(process.execPath, ['scripts/test.ts', ...tests], { stdio: 'ignore' })
    if (status === 0) missed++
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${status === 0 ? 'MISSED ' : 'caught '} ${name} (${seconds} s)\n`)
  } finally {
    writeFileSync(file, source)
  }
}
const count = Object.keys(deliberateFaults).length
process.stdout.write(`${count - missed} of ${count} deliberate faults were caught\n`)
process.exitCode = missed > 0 ? 1 : 0
