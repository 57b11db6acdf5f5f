import { createHmac, createSecretKey, hkdfSync, randomBytes, randomInt } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/settings.ts'
import { SetupError } from '../operator-error.ts'
import { hasHeader, isUnbound, makeSealingKey, type SealBinding, type SealingKey } from './seal.ts'

/** Cryptographic operations with the server's secret. Each uses its own derived key. */
export interface Secrets {
  /** Returns a keyed hash. Equal texts have equal hashes, and a hash reveals nothing without the secret. */
  hash(text: string): Buffer
  /** Encrypts a text with its binding; `open` needs the same binding. */
  seal(text: string, binding: SealBinding): Buffer
  /**
   * Decrypts a seal. Throws if it was made with another binding. Seals from before bindings were introduced
   * can be opened with any binding.
   */
  open(sealed: Buffer, binding: SealBinding): string
  /** The first bytes of every seal that this node makes now. */
  readonly sealHeader: Buffer
  /** The first bytes of all seals that this node can open. */
  readonly openHeaders: readonly Buffer[]
  /** Identifies the secret in the database without revealing it. */
  readonly fingerprint: Buffer
  /** Fingerprint of the old secret, if one is configured. */
  readonly oldFingerprint: Buffer | undefined
  /**
   * Adopts the state of the secret in the database. Until the secret is changed there, a node with both
   * secrets still seals with the old one, because other nodes may have only the old one. Returns why this
   * node cannot work with the database; undefined if it can.
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
 * `unfinished`: some seals may still be made with the old secret, which this node does not have.
 */
export type SecretProblem = 'unknown' | 'replaced' | 'unfinished'

const hashKeyBinding: SealBinding = ['hash key']

export function makeSecrets(secret: string, oldSecret?: string): Secrets {
  const current = deriveKeys(secret)
  const old = oldSecret === undefined ? undefined : deriveKeys(oldSecret)
  const usableKeys = old ? [current, old] : [current]
  let { sealing, hashKey } = current
  let hmac = makeHmac(hashKey)

  const open = (sealed: Buffer, binding: SealBinding): string => {
    const matching = usableKeys.find((keys) => hasHeader(sealed, keys.sealing))
    if (matching) return matching.sealing.open(sealed, binding)
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
    seal: (text, binding) => sealing.seal(text, binding),
    open,
    adopt(state) {
      const used = usableKeys.find(({ fingerprint }) => fingerprint.equals(state.secret_fingerprint))
      if (!used) return state.old_secret_fingerprint?.equals(current.fingerprint) ? 'replaced' : 'unknown'
      const before = state.secret_rotated_at ? null : state.old_secret_fingerprint
      if (before && !usableKeys.some(({ fingerprint }) => fingerprint.equals(before))) return 'unfinished'
      sealing = used.sealing
      const key = state.hash_key_sealed
        ? Buffer.from(used.sealing.open(state.hash_key_sealed, hashKeyBinding), 'base64')
        : used.hashKey
      if (!key.equals(hashKey)) {
        hashKey = key
        hmac = makeHmac(key)
      }
      return undefined
    },
    sealHashKey: () => current.sealing.seal(hashKey.toString('base64'), hashKeyBinding),
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

/** Tries all keys, because a seal without a header does not identify its secret. */
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
 * Returns the secrets that the configuration or the data directory has, without creating any; undefined if
 * there are none.
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
 * Writes a temporary file and links it to the final name, so that processes that start together all read the
 * same complete secret.
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
 * Returns a function that computes the HMAC-SHA-256 of a text. The key is prepared once, because every
 * request needs a hash, and `createHmac` with a plain buffer takes six times as long.
 */
function makeHmac(key: Buffer): (text: string) => Buffer {
  const prepared = createSecretKey(key)
  return (text) => createHmac('sha256', prepared).update(text).digest()
}
