import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError } from '@oxbow/contract'
import { Semaphore } from '../semaphore.ts'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Compares a password with a hash. Takes the same time if there is no hash, so that timing does not reveal
   * which accounts exist. Callers from a known network have reserved slots. Throws `RATE_LIMIT_HIT` if too
   * many callers wait.
   */
  verify(hashed: string | null | undefined, password: string, from: { isKnown: boolean }): Promise<boolean>
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const strong: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Cheap options for tests, which create hundreds of users. */
const cheap: Options = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export function makePasswordHasher(cost: 'strong' | 'cheap' = 'strong'): PasswordHasher {
  const options = cost === 'strong' ? strong : cheap
  let decoy: Promise<string> | undefined
  // Hashing is slow by design. A flood of sign-ins must not use the whole machine, nor the slots reserved for
  // networks from which users signed in before.
  const slots = new Semaphore({ maxConcurrent, reservedForPrivileged })
  const run = <Result>(work: () => Promise<Result>, { isKnown }: { isKnown: boolean }): Promise<Result> => {
    const priority = { isPrivileged: isKnown }
    if (slots.countWaiting(priority) >= maxWaiting) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 1 })
    return slots.run(work, priority)
  }
  return {
    // Known, because only users who are signed in or have a key from an e-mail can choose a password.
    hash: async (password) => run(() => hash(password, options), { isKnown: true }),
    async verify(hashed, password, from) {
      decoy ??= hash('nobody has this password', options)
      const compared = hashed ?? (await decoy)
      const matches = await run(() => verify(compared, password), from)
      return matches && hashed != null
    },
  }
}

/** Two of the four threads of libuv's pool; the others stay free for file access and DNS. */
const maxConcurrent = 2
const reservedForPrivileged = 1
/** Maximum number of waiting calls from known networks, and also of those from other networks. */
const maxWaiting = 40
