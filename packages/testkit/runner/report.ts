import { writeFileSync } from 'node:fs'
import type { FileResult, TestResult } from './results.ts'

/** Number of slowest files that the report lists. */
const maxSlowFiles = 25

/** Size of each error in the list of failures at the end. The whole error is printed with the result of its file. */
const maxErrorLines = 16
const maxErrorColumns = 300

/** Prints each result at once, and at the end the slowest files, the failures and the totals. */
export class Report {
  readonly #results: FileResult[] = []
  readonly #listsTests: boolean
  readonly #started = performance.now()

  /** With `listsTests`, prints each test and not only each file. */
  constructor({ listsTests }: { listsTests: boolean }) {
    this.#listsTests = listsTests
  }

  add(result: FileResult): void {
    this.#results.push(result)
    const { file, tests, ms } = result
    const isFailed = tests.some(({ outcome }) => outcome === 'failed')
    const count = tests.filter(({ outcome }) => outcome !== 'note').length
    print(`${isFailed ? '✖' : '✔'} ${file} (${count} tests, ${seconds(ms)})`)
    for (const test of tests) {
      if (this.#listsTests || test.outcome === 'failed' || test.outcome === 'note') print(describeTest(test))
    }
  }

  /** Prints the summary and returns the exit code: 0 if at least one test passed and none failed. */
  finish(): number {
    const results = this.#results
    const tests = results.flatMap((result) => result.tests)
    const count = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome).length
    const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
    if (results.length > maxSlowFiles) {
      print('\nSlowest files:')
      const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, maxSlowFiles)
      for (const { file, ms, cpuMs } of slowest)
        print(`${seconds(ms).padStart(9)}  ${seconds(cpuMs).padStart(9)} of processor  ${file}`)
    }
    this.#printSkipped(tests)
    this.#printFailed()
    const report = process.env.OXBOW_TEST_REPORT
    if (report) writeFileSync(report, JSON.stringify(results))
    const skippedText = skipped > 0 ? `, ${skipped} skipped` : ''
    print(`\n${results.length} files in ${seconds(performance.now() - this.#started)}`)
    print(`${passed} passed, ${failed} failed${skippedText}`)
    return failed > 0 || passed === 0 ? 1 : 0
  }

  /** Repeats failures with the beginnings of their errors: logs are often cut off at their beginning. */
  #printFailed(): void {
    const failed = this.#results.flatMap(({ file, tests }) =>
      tests.filter(({ outcome }) => outcome === 'failed').map((test) => ({ file, ...test })),
    )
    if (failed.length > 0) print('\nFailed:')
    for (const { file, name, error = '' } of failed) {
      print(`${file}: ${name}`)
      const lines = error.split('\n').slice(0, maxErrorLines)
      for (const line of lines) if (line.trim()) print(`    ${line.slice(0, maxErrorColumns)}`)
    }
  }

  /** Prints why tests were skipped: a missing program should not stay unnoticed. */
  #printSkipped(tests: readonly TestResult[]): void {
    const byReason = Map.groupBy(
      tests.filter(({ outcome }) => outcome === 'skipped'),
      ({ reason = 'no reason given' }) => reason,
    )
    if (byReason.size > 0) print('\nSkipped:')
    for (const [reason, { length }] of byReason) print(`${String(length).padStart(9)}  ${reason}`)
  }
}

function describeTest({ name, nesting, outcome, ms, error }: TestResult): string {
  const marks = { passed: '✔', failed: '✖', skipped: '﹣', note: 'ℹ' }
  const indent = '  '.repeat(nesting + 1)
  const time = outcome === 'note' ? '' : ` (${ms.toFixed(0)} ms)`
  const details = error ? `\n${error.replace(/^/gm, `${indent}  `)}` : ''
  return `${indent}${marks[outcome]} ${name}${time}${details}`
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const print = (line: string): void => void process.stdout.write(`${line}\n`)
