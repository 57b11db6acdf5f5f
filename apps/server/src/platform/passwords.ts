import { hash, type Options, verify } from '@node-rs/argon2'
import { ApiError } from '@oxbow/contract'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /**
   * Takes the same time whether or not there is a hash to compare with, so that timing tells no one who exists. Callers
   * from a known network have slots of their own.
   */
  verify(hashed: string | null | undefined, password: string, from: { isKnown: boolean }): Promise<boolean>
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const strong: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** For tests, which make hundreds of people. */
const cheap: Options = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export function makePasswordHasher(cost: 'strong' | 'cheap' = 'strong'): PasswordHasher {
  const options = cost === 'strong' ? strong : cheap
  let decoy: Promise<string> | undefined
  const slots = new HashingSlots()
  return {
    // Only people who are signed in or hold a mailed key choose a password.
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
 * Hashing is slow by design; a flood of it must not take the whole machine, nor the slots of people who signed in from
 * the same network before. A call that finds too many waiting is refused and asked to come again.
 */
class HashingSlots {
  readonly #known = new Lane()
  readonly #strange = new Lane()

  async run<Result>(work: () => Promise<Result>, { isKnown }: { isKnown: boolean }): Promise<Result> {
    const lane = isKnown ? this.#known : this.#strange
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
    if (this.#known.running + this.#strange.running >= maxRunning) return false
    return lane === this.#known || lane.running < maxRunning - reservedForKnown
  }

  /** Known callers first. */
  #startNext(): void {
    for (const lane of [this.#known, this.#strange]) {
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

/** Two of the four threads that Node has for such work; the others stay free for the rest of it. */
const maxRunning = 2
const reservedForKnown = 1
const maxWaiting = 40
