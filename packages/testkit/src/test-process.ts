// State that the test files of one process share. Imports nothing, because the runner loads it before any test file.

type Ending = () => Promise<void>

const endings: Ending[] = []
let runsSeveralFiles = false

/** Called by a runner that runs several test files in this process and calls `endTestProcess` after the last one. */
export function beginTestProcess(): void {
  runsSeveralFiles = true
}

/** Returns whether a server that one test file started may be used by the next ones. */
export const mayShare = (): boolean => runsSeveralFiles

/** Registers a function to be called after the last test file. */
export function atTestProcessEnd(ending: Ending): void {
  endings.push(ending)
}

export async function endTestProcess(): Promise<void> {
  for (const ending of endings.splice(0)) await ending()
}
