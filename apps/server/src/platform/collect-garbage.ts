import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** `minor` collects only young objects. `last-resort` collects and compacts all that can be done without. */
type Scope = { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }

let collect: ((scope: Scope) => void) | undefined

/** Collects garbage now. All of a node takes some 100 ms. */
export function collectGarbage(scope: Scope): void {
  collect ??= exposeCollector()
  collect(scope)
}

function exposeCollector(): (scope: Scope) => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
