import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { deliberateFaults } from './deliberate-faults.ts'

// npm run faults [-- PART_OF_A_NAME …]   runs the tests of the selected deliberate faults, which must pass. Then injects
// the faults into the source files, one after the other, and runs the tests that must detect each. Restores each file
// afterwards. Fails if a fault is not detected.
const parts = process.argv.slice(2)
const selected = Object.entries(deliberateFaults).filter(
  ([name]) => parts.length === 0 || parts.some((part) => name.includes(part)),
)
if (selected.length === 0) {
  const names = Object.keys(deliberateFaults).join('\n  ')
  process.stderr.write(`No fault has ${parts.join(' or ')} in its name. There are:\n  ${names}\n`)
  process.exit(1)
}
const intact = await findFailure([...new Set(selected.flatMap(([, { tests }]) => tests))])
if (intact) {
  process.stderr.write(`Without a fault, this test fails already: ${intact}\n`)
  process.exit(1)
}

/** Restores the source file that contains a fault. */
let restore: (() => void) | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    restore?.()
    process.exit(1)
  })

let caught = 0
for (const [name, { file, find, replace, tests }] of selected) {
  const source = readFileSync(file, 'utf8')
  if (source.split(find).length !== 2) {
    process.stdout.write(`STALE   ${name}: ${file} does not contain this exactly once: ${find}\n`)
    continue
  }
  const started = performance.now()
  restore = () => writeFileSync(file, source)
  try {
    writeFileSync(
      file,
      source.replace(find, () => replace),
    )
    const failure = await findFailure(tests)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(
      failure
        ? `caught  ${name} (${seconds} s)\n          by: ${failure}\n`
        : `MISSED  ${name} (${seconds} s)\n`,
    )
    if (failure) caught++
  } finally {
    restore()
    restore = undefined
  }
}
process.stdout.write(`${caught} of ${selected.length} deliberate faults were caught\n`)
process.exitCode = caught < selected.length ? 1 : 0

/**
 * Runs test files until one fails, and returns the name of the failed test. Later files may wait for minutes for
 * something that a fault prevents. Throws if the tests cannot run.
 */
async function findFailure(tests: readonly string[]): Promise<string | undefined> {
  const child = spawn(process.execPath, ['packages/testkit/runner/main.ts', ...tests], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    // The line of the file, which is not indented, precedes those of its tests.
    const [, name] = /^ +✖ (.*)/.exec(line) ?? []
    if (name === undefined) continue
    // The test processes end with their parent.
    child.kill()
    await exited
    return name
  }
  const [status] = await exited
  if (status !== 0) throw new Error('The tests could not be run.')
  return undefined
}
