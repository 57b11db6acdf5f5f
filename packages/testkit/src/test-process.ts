// State that the test files of one process share. This module imports nothing, because the runner
// loads it before any test file.

interface Ending {
  /** Names what is stopped, for the error if it does not stop. */
  readonly name: string
  readonly stop: () => Promise<void>
}

const endings: Ending[] = []
/** Maximum time of one ending. */
const maxEndingMs = 60_000
const warnings: string[] = []
const maxWarnings = 10
let runsSeveralFiles = false

/**
 * Declares that this process runs several test files. The runner must call `endTestProcess` after
 * the last one.
 */
export function beginTestProcess(): void {
  runsSeveralFiles = true
}

/** Returns whether later test files may use a server that one test file started. */
export const mayShare = (): boolean => runsSeveralFiles

/** Registers a function to be called after the last test file. `name` is what it stops, such as 'the browser'. */
export function atTestProcessEnd(name: string, stop: () => Promise<void>): void {
  endings.push({ name, stop })
}

/** Saves a warning of a node, to be printed if the test file fails. Only the newest ones are kept. */
export function addWarning(line: string): void {
  warnings.push(line)
  if (warnings.length > maxWarnings) warnings.shift()
}

/** Returns the newest warnings of nodes since the last call. */
export const takeWarnings = (): string[] => warnings.splice(0)

/** Stops everything that was registered. Rejects if something fails or does not stop in time. */
export const endTestProcess = (): Promise<void> => stopAll(endings.splice(0), maxEndingMs)

/** Calls all endings, and rejects with the errors of those that fail or take longer than `maxMs`. */
export async function stopAll(endings: readonly Ending[], maxMs: number): Promise<void> {
  const outcomes = await Promise.allSettled(endings.map((ending) => stopInTime(ending, maxMs)))
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors)
}

async function stopInTime({ name, stop }: Ending, maxMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // Nodes log what they wait for.
    reject(new Error([`${name} did not stop within ${maxMs} ms`, ...takeWarnings()].join('\n')))
  }, maxMs)
  await Promise.race([stop(), promise]).finally(() => clearTimeout(timer))
}
