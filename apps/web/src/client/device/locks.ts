import { deviceAccount } from './device.ts'

const locks = (globalThis.navigator as { locks?: LockManager } | undefined)?.locks

/** Whether the browser supports locks, which it does not over plain HTTP; then tabs do not cooperate. */
export const hasLocks = locks !== undefined

const fullName = (name: string): string => `oxbow/${deviceAccount?.user_id}/${name}`

/** Runs a function while no other tab of the account holds the lock of this name. */
export async function withLock<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  if (!locks || !deviceAccount) return run()
  return (await locks.request(fullName(name), run)) as Result
}

/**
 * Waits for a lock, or takes it from its holder (`steal`), and runs a function. Returns whether the
 * function completed; false if another tab took the lock, or the wait was aborted.
 */
export async function holdLock(
  name: string,
  options: LockOptions,
  run: () => Promise<void>,
): Promise<boolean> {
  try {
    await locks?.request(fullName(name), options, run)
    return true
  } catch (error) {
    if ((error as Error).name === 'AbortError') return false
    throw error
  }
}
