import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError } from '@oxbow/contract'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Takes the same time whether or not there is a hash to compare with, so that timing does not
   * reveal which accounts exist. Callers from a known network have reserved slots. Throws
   * `RATE_LIMIT_HIT` if too many callers wait.
   */
  verify(hashed: string | null | undefined, password: string, from: { isKnown: boolean }): Promise<boolean>
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const strong: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** For tests, which create hundreds of users. */
const cheap: Options = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export function makePasswordHasher(cost: 'strong' | 'cheap' = 'strong'): PasswordHasher {
  const options = cost === 'strong' ? strong : cheap
  let decoy: Promise<string> | undefined
  const slots = new HashingSlots()
  return {
    // Only users who are signed in or have a mailed key can choose a password.
    hash: (password) => slots.run(() => hash(password, options), { isKnown: true }),
    async verify(hashed, password, from) {
      decoy ??= hash('nobody has this password', options)
      const compared = hashed ?? (await decoy)
      const matches = await slots.run(() => verify(compared, password), from)
      return matches && hashed != null
    },
  }
}

/**
 * Limits concurrent hashing, which is slow by design: a flood must neither take the whole machine
 * nor the slots of users who signed in from the same network before. Calls beyond `maxWaiting` are
 * refused.
 */
class HashingSlots {
  readonly #known = new Lane()
  readonly #unknown = new Lane()

  async run<Result>(work: () => Promise<Result>, { isKnown }: { isKnown: boolean }): Promise<Result> {
    const lane = isKnown ? this.#known : this.#unknown
    if (lane.waiting.length >= maxWaiting) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 1 })
    if (lane.waiting.length === 0 && this.#isFree(lane)) lane.running++
    else await new Promise<void>((begin) => lane.waiting.push(begin))
    try {
      return await work()
    } finally {
      lane.running--
      this.#startNext()
    }
  }

  #isFree(lane: Lane): boolean {
    if (this.#known.running + this.#unknown.running >= maxRunning) return false
    return lane === this.#known || lane.running < maxRunning - reservedForKnown
  }

  /** Starts waiting calls, those from known networks first. */
  #startNext(): void {
    for (const lane of [this.#known, this.#unknown]) {
      while (this.#isFree(lane)) {
        const begin = lane.waiting.shift()
        if (!begin) break
        lane.running++
        begin()
      }
    }
  }
}

class Lane {
  running = 0
  readonly waiting: (() => void)[] = []
}

/** Two of the four threads of libuv's pool; the others stay free for file access and DNS. */
const maxRunning = 2
const reservedForKnown = 1
const maxWaiting = 40
