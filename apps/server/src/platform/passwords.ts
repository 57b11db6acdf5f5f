import { hash, type Options, verify } from '@node-rs/argon2'

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
  return {
    hash: (password) => hash(password, options),
    async verify(hashed, password) {
      decoy ??= hash('nobody has this password', options)
      const matches = await verify(hashed ?? (await decoy), password)
      return matches && hashed != null
    },
  }
}
