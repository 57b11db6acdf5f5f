import type { App } from '../platform/app.ts'
import { LazyWorker } from '../platform/lazy-worker.ts'

export const minPasswordLength = 6
export const minPasswordGuesses = 10_000
/** Longer passwords are strong by their length, and estimating them takes long. */
const examined = 100

/** Some passwords take a second to judge, and the word lists take 45 MB while they are needed. */
const estimator = new LazyWorker<string, number>(new URL('./password-strength-worker.ts', import.meta.url))

/** Long enough, and not among the first ten thousand that anyone would try. Development servers take any. */
export async function isStrongPassword({ config }: Pick<App, 'config'>, password: string): Promise<boolean> {
  if (config.mode === 'development') return true
  if ([...password].length < minPasswordLength) return false
  return (await estimator.ask(password.slice(0, examined))) >= minPasswordGuesses
}
