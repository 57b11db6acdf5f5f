import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError } from '@oxbow/contract'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Takes the same time whether or not there is a hash to compare with, so that timing tells no one who exists. */
  verify(hashed: string | null | undefined, password: string): Promise<boolean>
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const strong: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** For tests, which make hundreds of people. */
const cheap: Options = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export function makePasswordHasher(cost: 'strong' | 'cheap' = 'strong'): PasswordHasher {
  const options = cost === 'strong' ? strong : cheap
  let decoy: Promise<string> | undefined
  const queue = new ShortQueue()
  return {
    hash: (password) => queue.run(() => hash(password, options)),
    async verify(hashed, password) {
      decoy ??= hash('nobody has this password', options)
      const compared = hashed ?? (await decoy)
      const matches = await queue.run(() => verify(compared, password))
      return matches && hashed != null
    },
  }
}

/** Hashing is slow by design; a flood of it must not take the whole machine. Who comes too late is asked to come again. */
class ShortQueue {
  #running = 0
  readonly #waiting: (() => void)[] = []

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= mostWaiting) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 1 })
    if (this.#running < mostAtOnce) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to whoever waits longest, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

/** Two of the four threads that Node has for such work; the others stay free for the rest of it. */
const mostAtOnce = 2
const mostWaiting = 40
