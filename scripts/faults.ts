import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { deliberateFaults } from './testing/deliberate-faults.ts'

// npm run faults [-- PART_OF_A_NAME …]   injects deliberate faults into the source files, one after the other, and
// runs the tests that must detect each. Restores each file afterwards. Fails if a fault is not detected.
const parts = process.argv.slice(2)
const selected = Object.entries(deliberateFaults).filter(
  ([name]) => parts.length === 0 || parts.some((part) => name.includes(part)),
)
let missed = selected.length === 0 ? 1 : 0
for (const [name, { file, find, replace, tests }] of selected) {
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
    const isCaught = await findFailure(tests)
    if (!isCaught) missed++
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${isCaught ? 'caught ' : 'MISSED '} ${name} (${seconds} s)\n`)
  } finally {
    writeFileSync(file, source)
  }
}
process.stdout.write(`${selected.length - missed} of ${selected.length} deliberate faults were caught\n`)
process.exitCode = missed > 0 ? 1 : 0

/** Runs test files until one fails. Later files may wait for minutes for something that the fault prevents. */
async function findFailure(tests: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['scripts/test.ts', ...tests], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  let hasFailed = false
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('✖')) continue
    hasFailed = true
    // The test processes end with their parent.
    child.kill()
    break
  }
  const [status] = await exited
  return hasFailed || status !== 0
}
