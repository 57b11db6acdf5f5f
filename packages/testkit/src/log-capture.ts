import type { DestinationStream } from 'pino'

/** Keeps what nodes log, so that a test can look for what must or must not be there. */
export class LogCapture implements DestinationStream {
  readonly lines: string[] = []

  write(line: string): void {
    this.lines.push(line)
  }

  get text(): string {
    return this.lines.join('')
  }

  /** Entries of this level and above: 40 warnings, 50 errors. */
  entries(level = 40): Record<string, unknown>[] {
    return this.lines.map((line) => JSON.parse(line)).filter((entry) => entry.level >= level)
  }
}
