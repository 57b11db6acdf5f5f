import { findStartedModule } from '@oxbow/assets'
import type { App } from '../platform/app.ts'
import { LazyWorker } from '../platform/threads/lazy-worker.ts'

export const minPasswordLength = 6
export const minPasswordGuesses = 10_000
/**
 * Maximum number of characters that are examined. Longer passwords are strong anyway, and
 * estimating them takes long.
 */
const maxExaminedCharacters = 100

/**
 * Runs in a worker thread, because estimating some passwords takes a second. The thread is stopped
 * when idle, because its word lists use 45 MB.
 */
const estimator = new LazyWorker<string, number>(findStartedModule('password-strength-worker'))

/**
 * Returns whether a password is long enough and takes at least `minPasswordGuesses` guesses.
 * Development servers accept any password.
 */
export async function isStrongPassword({ config }: Pick<App, 'config'>, password: string): Promise<boolean> {
  if (config.mode === 'development') return true
  if ([...password].length < minPasswordLength) return false
  return (await estimator.ask(password.slice(0, maxExaminedCharacters))) >= minPasswordGuesses
}
