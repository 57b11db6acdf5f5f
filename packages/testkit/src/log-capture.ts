import type { DestinationStream } from 'pino'
import { addWarning } from './test-process.ts'

/** Matches the beginning of a line of level `warn` or above. */
const isWarning = /^\{"level":"(warn|error|fatal)"/

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 }

/** Collects the log lines of nodes, so that a test can search them. */
export class LogCapture implements DestinationStream {
  readonly lines: string[] = []

  write(line: string): void {
    this.lines.push(line)
    if (isWarning.test(line)) addWarning(line)
  }

  get text(): string {
    return this.lines.join('')
  }

  /** Returns the entries of this level and above: 20 debug, 30 information, 40 warning, 50 error. */
  entries(level = 40): Record<string, unknown>[] {
    return this.lines
      .map((line) => JSON.parse(line))
      .filter((entry) => levels[entry.level as keyof typeof levels] >= level)
  }
}
