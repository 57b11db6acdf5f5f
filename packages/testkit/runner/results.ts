export interface TestResult {
  name: string
  /** Depth of the test: 0 for a test of the file, 1 for its subtests, and so on. */
  nesting: number
  /** A note is a line that a test printed with `t.diagnostic`. */
  outcome: 'passed' | 'failed' | 'skipped' | 'note'
  ms: number
  error?: string
  /** Why the test was skipped. */
  reason?: string
}

export interface FileResult {
  /** Relative to the project's root. */
  file: string
  tests: TestResult[]
  ms: number
  /** Processor time of the test process, without PostgreSQL and child processes. */
  cpuMs: number
  /** Resident memory of the test process after the file. */
  memoryMb: number
}
