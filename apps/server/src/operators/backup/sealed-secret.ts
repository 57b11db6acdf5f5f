import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { OperatorError } from '../../platform/operator-error.ts'

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** Cost of scrypt: each guess of a passphrase takes 128 MiB and a large part of a second. */
const cost = { N: 2 ** 17, r: 8, p: 1 }
const memoryFor = ({ N, r }: Pick<typeof cost, 'N' | 'r'>): number => 256 * N * r

/** A crafted backup must not take the memory of the machine. Releases may raise their cost up to this. */
const [maxMemory, maxRounds] = [1_073_741_824, 4]

const base64 = (minBytes: number, maxBytes: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length >= minBytes && length <= maxBytes)
const sealedSchema = z
  .object({
    kdf: z.literal('scrypt'),
    N: z
      .int()
      .min(2)
      .refine((value) => Number.isInteger(Math.log2(value))),
    r: z.int().min(1),
    p: z.int().min(1).max(maxRounds),
    cipher: z.literal('aes-256-gcm'),
    salt: base64(16, 64),
    nonce: base64(12, 12),
    tag: base64(16, 16),
    sealed: base64(1, 65_536),
  })
  .refine((values) => memoryFor(values) <= 2 * maxMemory)
const secretSchema = z.object({ secret: z.string().min(1), old_secret: z.string().min(1).optional() })

export interface SecretTexts {
  secret: string
  /** The previous secret, while a rotation is not finished. */
  old_secret?: string | undefined
}

/** Encrypts the secret with a key derived from the passphrase. */
export async function sealSecret(secret: SecretTexts, passphrase: string): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const key = await deriveKey(passphrase, salt, 32, { ...cost, maxmem: memoryFor(cost) })
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()])
  const parts = { salt, nonce, tag: cipher.getAuthTag(), sealed }
  const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')])
  return Buffer.from(
    `${JSON.stringify({ kdf: 'scrypt', ...cost, cipher: 'aes-256-gcm', ...Object.fromEntries(texts) })}\n`,
  )
}

/** Decrypts the secret. Throws an `OperatorError` if the passphrase is wrong, or if the text is no sealed secret. */
export async function openSealedSecret(text: Buffer, passphrase: string): Promise<SecretTexts> {
  const { N, r, p, salt, nonce, tag, sealed } = parseSealed(text)
  const key = await deriveKey(passphrase, salt, 32, { N, r, p, maxmem: memoryFor({ N, r }) })
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(tag)
  try {
    return secretSchema.parse(
      JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString()),
    )
  } catch {
    throw new OperatorError('The passphrase is not the one that the secret of this backup was sealed with.')
  }
}

function parseSealed(text: Buffer): z.output<typeof sealedSchema> {
  try {
    return sealedSchema.parse(JSON.parse(text.toString()))
  } catch {
    throw new OperatorError(
      'The sealed secret of this backup is not as Oxbow writes it. Give the secret of the original server by OXBOW_SECRET.',
    )
  }
}
