import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupSecret } from '../../platform/archive/manifest.ts'
import type { Config } from '../../platform/config/settings.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { makeSecrets, type SecretState } from '../../platform/secrets/secrets.ts'
import type { SecretTexts } from './sealed-secret.ts'

/** Returns whether the secrets have the fingerprints of a backup or of its database. */
export function isSecretOf(backup: BackupSecret, { secret, old_secret }: SecretTexts): boolean {
  const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'))
  const state: SecretState = {
    secret_fingerprint: bytes(backup.fingerprint) as Buffer,
    old_secret_fingerprint: bytes(backup.old_fingerprint),
    hash_key_sealed: null,
    secret_rotated_at: backup.rotated_at === null ? null : new Date(backup.rotated_at),
  }
  return makeSecrets(secret, old_secret === secret ? undefined : old_secret).adopt(state) === undefined
}

const secretFile = ({ data_dir }: Pick<Config, 'data_dir'>) => join(data_dir, 'secret')

/** Describes where the secret is configured. */
const describeSource = (config: Pick<Config, 'secret' | 'data_dir'>): string =>
  config.secret ? 'OXBOW_SECRET' : `the file ${secretFile(config)}`

/**
 * Returns whether the settings have the secret of the backup. Returns false if they have no secret, so that
 * the caller can use the one in the backup. Throws an `OperatorError` if they have another secret, or if
 * neither they nor the backup have one.
 */
export function hasSecretOf(
  backup: BackupSecret,
  config: Pick<Config, 'secret' | 'data_dir'>,
  found: SecretTexts | undefined,
): boolean {
  if (!found) {
    if (backup.is_included) return false
    throw new OperatorError(
      'This backup does not contain the secret of its server, and the settings have none. Without it no API key, session or link in the backup works.\n' +
        `Give it by OXBOW_SECRET, or copy the original server's file \`secret\` to ${secretFile(config)}. Nothing was changed.`,
    )
  }
  if (isSecretOf(backup, found)) return true
  throw new OperatorError(
    `The secret in ${describeSource(config)} is not the one of this backup: no API key, session or link in it would work.\n` +
      (backup.is_included
        ? 'Remove it from the settings to use the one in the backup, or give the secret of the original server. '
        : 'Give the secret of the original server by OXBOW_SECRET, or as the file `secret` in data_dir. If it was changed since, use the one from the time of the backup. ') +
      'Nothing was changed.',
  )
}

/** Writes the secret of a backup to a data directory that has none. */
export function writeSecretFiles(
  config: Pick<Config, 'data_dir'>,
  { secret, old_secret }: SecretTexts,
): void {
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 })
  const write = (file: string, text: string) => {
    if (!existsSync(file)) writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
  }
  if (old_secret !== undefined) write(`${secretFile(config)}.old`, old_secret)
  write(secretFile(config), secret)
}
