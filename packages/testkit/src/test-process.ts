// State that the test files of one process share. This module imports nothing, because the runner
// loads it before any test file.

type Ending = () => Promise<void>

const endings: Ending[] = []
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

export async function endTestProcess(): Promise<void> {
  for (const ending of endings.splice(0)) await ending()
}
