// Replaces `node:test` in the test files of a shard. It has a different `after`, and no `describe`, which needs the
// hooks that `without-async-hooks.ts` removes.
import { test as nodeTest, type TestFn } from 'node:test'

export { afterEach, before, beforeEach, mock } from 'node:test'

/** Only tests whose name contains this text run. Node's own filter never ends a file of which no test is left. */
const { OXBOW_TEST_NAME: namePart } = process.env

async function testIfNamed(name: string, ...rest: [TestFn]): Promise<void> {
  if (namePart && name.includes(namePart)) await nodeTest(name, ...rest)
}

export const test = namePart ? testIfNamed : nodeTest

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
