// Replaces `node:test` in the test files of a shard: exports Node's module with a different
// `after`.
export { afterEach, before, beforeEach, default, describe, it, mock, suite, test } from 'node:test'

type Hook = () => unknown
let hooks: Hook[] = []

export function after(hook: Hook): void {
  hooks.push(hook)
}

/** Returns the `after` hooks that were registered since the last call. */
export function takeAfterHooks(): Hook[] {
  const takenHooks = hooks
  hooks = []
  return takenHooks
}
