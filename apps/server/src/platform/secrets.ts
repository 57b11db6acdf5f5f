import { createHmac, createSecretKey, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/settings.ts'
import { SetupError } from './operator-error.ts'
import { hasHeader, isUnbound, makeSealingKey, type SealingKey, type SealOwner } from './seal.ts'

/** Cryptographic operations with the server's secret. Each uses its own derived key. */
export interface Secrets {
  /**
   * Returns a keyed hash: equal texts have equal hashes, which reveal nothing without the secret.
   */
  hash(text: string): Buffer
  /** Encrypts a text for its owner; `open` needs the same owner. */
  seal(text: string, owner: SealOwner): Buffer
  /**
   * Decrypts a seal. Throws if it is not this owner's. Seals from before they had owners open for
   * any owner.
   */
  open(sealed: Buffer, owner: SealOwner): string
  /** The first bytes of every seal made from now on. */
  readonly sealHeader: Buffer
  /** The first bytes of all seals that can be opened. */
  readonly openHeaders: readonly Buffer[]
  /** Identifies the secret in the database without revealing it. */
  readonly fingerprint: Buffer
  /** Fingerprint of the old secret, if it was given. */
  readonly oldFingerprint: Buffer | undefined
  /**
   * Adopts the state of the secret in the database: until it is changed there, a node with both
   * secrets still seals with the old one, for nodes that only have that. Returns why this node
   * cannot work with the database, or undefined.
   */
  adopt(state: SecretState): SecretProblem | undefined
  /**
   * Seals the key of `hash` with the new secret, because that key stays the same when the secret
   * changes.
   */
  sealHashKey(): Buffer
}

/** The state of the secret in the database. */
export interface SecretState {
  secret_fingerprint: Buffer
  old_secret_fingerprint: Buffer | null
  hash_key_sealed: Buffer | null
  secret_rotated_at: Date | null
}

/**
 * `unknown`: the database uses another secret. `replaced`: this secret was replaced by a new one.
 * `unfinished`: seals with the old secret may be left, and this node does not have it.
 */
export type SecretProblem = 'unknown' | 'replaced' | 'unfinished'

const hashKeyOwner: SealOwner = ['hash key']

export function makeSecrets(secret: string, oldSecret?: string): Secrets {
  const current = deriveKeys(secret)
  const old = oldSecret === undefined ? undefined : deriveKeys(oldSecret)
  const usableKeys = old ? [current, old] : [current]
  let { sealing, hashKey } = current
  let hmac = makeHmac(hashKey)

  const open = (sealed: Buffer, owner: SealOwner): string => {
    const made = usableKeys.find((keys) => hasHeader(sealed, keys.sealing))
    if (made) return made.sealing.open(sealed, owner)
    if (!isUnbound(sealed)) throw new Error('a seal was made with a secret that this node does not have')
    return openUnbound(
      usableKeys.map((keys) => keys.sealing),
      sealed,
    )
  }

  return {
    fingerprint: current.fingerprint,
    oldFingerprint: old?.fingerprint,
    openHeaders: usableKeys.map((keys) => keys.sealing.header),
    get sealHeader() {
      return sealing.header
    },
    hash: (text) => hmac(text),
    seal: (text, owner) => sealing.seal(text, owner),
    open,
    adopt(state) {
      const used = usableKeys.find(({ fingerprint }) => fingerprint.equals(state.secret_fingerprint))
      if (!used) return state.old_secret_fingerprint?.equals(current.fingerprint) ? 'replaced' : 'unknown'
      const before = state.secret_rotated_at ? null : state.old_secret_fingerprint
      if (before && !usableKeys.some(({ fingerprint }) => fingerprint.equals(before))) return 'unfinished'
      sealing = used.sealing
      const key = state.hash_key_sealed
        ? Buffer.from(used.sealing.open(state.hash_key_sealed, hashKeyOwner), 'base64')
        : used.hashKey
      if (!key.equals(hashKey)) {
        hashKey = key
        hmac = makeHmac(key)
      }
      return undefined
    },
    sealHashKey: () => current.sealing.seal(hashKey.toString('base64'), hashKeyOwner),
  }
}

interface Keys {
  fingerprint: Buffer
  hashKey: Buffer
  sealing: SealingKey
}

function deriveKeys(secret: string): Keys {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'oxbow', use, 32))
  return { fingerprint: derive('fingerprint'), hashKey: derive('hash'), sealing: makeSealingKey(derive) }
}

/** A seal without a header does not say which secret it was made with. */
function openUnbound([key, ...others]: readonly SealingKey[], sealed: Buffer): string {
  try {
    return key?.openUnbound(sealed) ?? ''
  } catch (error) {
    if (others.length === 0) throw error
    return openUnbound(others, sealed)
  }
}

/** Returns the secrets from the configuration or the data directory; creates one on first use. */
export function readSecrets(config: Pick<Config, 'secret' | 'old_secret' | 'data_dir'>): Secrets {
  const secret = readSecret(config)
  const old = readOldSecret(config)
  if (old !== secret) return makeSecrets(secret, old)
  throw new SetupError(
    'The old secret and the new one are the same. Set OXBOW_SECRET to a new one, made with `openssl rand -base64 32`.',
  )
}

function readOldSecret(config: Pick<Config, 'old_secret' | 'data_dir'>): string | undefined {
  if (config.old_secret) return config.old_secret
  const file = join(config.data_dir, 'secret.old')
  if (!existsSync(file)) return undefined
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length >= minSecretLength) return secret
  throw new SetupError(`The old secret in ${file} is empty or cut off. Put back the one that was there.`)
}

/**
 * Returns the secrets that the configuration or the data directory has, without creating one; undefined
 * if there is none.
 */
export function findSecretTexts(
  config: Pick<Config, 'secret' | 'old_secret' | 'data_dir'>,
): { secret: string; old_secret: string | undefined } | undefined {
  if (!config.secret && !existsSync(join(config.data_dir, 'secret'))) return undefined
  return { secret: readSecret(config), old_secret: readOldSecret(config) }
}

/** Returns the secret from the configuration or the data directory; creates it on first use. */
export function readSecret(config: Pick<Config, 'secret' | 'data_dir'>): string {
  if (config.secret) return config.secret
  const file = join(config.data_dir, 'secret')
  const secret = readOrMake(config.data_dir, file).trim()
  if (secret.length < minSecretLength) {
    throw new SetupError(
      `The secret in ${file} is empty or cut off. Put back the one that was there, or remove the file if no database was set up with it yet.`,
    )
  }
  return secret
}

function readOrMake(directory: string, file: string): string {
  try {
    if (!existsSync(file)) makeSecretFile(directory, file)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SetupError(
      `This node keeps its secret in ${file}, and cannot: ${(error as Error).message}.\n` +
        'Let the user that runs Oxbow write to data_dir, name another directory with OXBOW_DATA_DIR, or give the secret in OXBOW_SECRET.',
    )
  }
}

/**
 * Writes a draft and links it to its name, so that processes that start together all read one
 * complete secret.
 */
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

const minSecretLength = 32

const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function randomAlphanumerics(length: number, alphabet = alphanumerics): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/**
 * Returns a function that computes the HMAC-SHA-256 of a text. The key is prepared once, because
 * `createHmac` with a plain buffer takes six times as long, and every request pays for it.
 */
function makeHmac(key: Buffer): (text: string) => Buffer {
  const prepared = createSecretKey(key)
  return (text) => createHmac('sha256', prepared).update(text).digest()
}
