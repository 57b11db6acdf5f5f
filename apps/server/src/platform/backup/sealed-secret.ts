import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { OperatorError } from '../operator-error.ts'

const deriveKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** Cost of scrypt: each guess of a passphrase takes 128 MiB and a large part of a second. */
const cost = { N: 2 ** 17, r: 8, p: 1 }
const memoryFor = ({ N, r }: typeof cost): number => 256 * N * r

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'))
const sealedSchema = z.object({
  kdf: z.literal('scrypt'),
  N: z
    .number()
    .int()
    .max(2 ** 20),
  r: z.number().int().max(32),
  p: z.number().int().max(16),
  cipher: z.literal('aes-256-gcm'),
  salt: base64,
  nonce: base64,
  tag: base64,
  sealed: base64,
})

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

/** Decrypts the secret. Throws an `OperatorError` if the passphrase is wrong. */
export async function openSealedSecret(text: Buffer, passphrase: string): Promise<SecretTexts> {
  const { N, r, p, salt, nonce, tag, sealed } = sealedSchema.parse(JSON.parse(text.toString()))
  const key = await deriveKey(passphrase, salt, 32, { N, r, p, maxmem: memoryFor({ N, r, p }) })
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(tag)
  try {
    return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString())
  } catch {
    throw new OperatorError('The passphrase is not the one that the secret of this backup was sealed with.')
  }
}
