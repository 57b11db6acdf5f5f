import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/settings.ts'
import { SetupError } from './operator-error.ts'

/** What this server's one secret is used for. Each use has a key of its own, so that none weakens another. */
export interface Secrets {
  /** A keyed hash: the same text gives the same bytes, and they tell nothing without the secret. */
  hash(text: string): Buffer
  encrypt(text: string): Buffer
  decrypt(sealed: Buffer): string
  /** Tells whether a database was set up with this secret, without telling the secret. */
  readonly fingerprint: Buffer
}

export function makeSecrets(secret: string): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'oxbow', use, 32))
  const hashKey = derive('hash')
  const encryptionKey = derive('encryption')
  return {
    fingerprint: derive('fingerprint'),
    hash: makeHmac(hashKey),
    encrypt: (text) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt: (sealed) => {
      const cipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, 12))
      cipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString('utf8')
    },
  }
}

/** The secret of the configuration, or the one in the data directory, made on first use. */
export function readSecret(config: Pick<Config, 'secret' | 'data_dir'>): string {
  if (config.secret) return config.secret
  const file = join(config.data_dir, 'secret')
  if (!existsSync(file)) makeSecretFile(config.data_dir, file)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < shortestSecret) {
    throw new SetupError(
      `The secret in ${file} is empty or cut off. Put back the one that was there, or remove the file if no database was set up with it yet.`,
    )
  }
  return secret
}

/** Written whole and then given its name: of processes that start at once, all read the same, and none half of it. */
function makeSecretFile(directory: string, file: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600, flush: true })
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

const shortestSecret = 32

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomAlphanumerics(length: number, alphabet = alphanumerics): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/**
 * HMAC-SHA-256 by its definition, from one-shot hashes: `createHmac` takes four times as long to set up, and every
 * request pays for it.
 */
export function makeHmac(key: Buffer): (text: string) => Buffer {
  const padded = Buffer.concat([key, Buffer.alloc(64 - key.length)])
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  return (text) => {
    const message = Buffer.concat([inner, Buffer.from(text)])
    return hash('sha256', Buffer.concat([outer, hash('sha256', message, 'buffer')]), 'buffer')
  }
}
