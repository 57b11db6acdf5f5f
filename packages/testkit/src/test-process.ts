// State that the test files of one process share. This module imports nothing, because the runner
// loads it before any test file.

type Ending = () => Promise<void>

const endings: Ending[] = []
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

/** Registers a function to be called after the last test file. */
export function atTestProcessEnd(ending: Ending): void {
  endings.push(ending)
}

/** Saves a warning of a node, to be printed if the test file fails. Only the newest ones are kept. */
export function addWarning(line: string): void {
  warnings.push(line)
  if (warnings.length > maxWarnings) warnings.shift()
}

/** Returns the newest warnings of nodes since the last call. */
export const takeWarnings = (): string[] => warnings.splice(0)

export async function endTestProcess(): Promise<void> {
  for (const ending of endings.splice(0)) await ending()
}
