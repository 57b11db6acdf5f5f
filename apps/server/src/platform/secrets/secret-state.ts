import { sql } from 'kysely'
import type { Config } from '../config/settings.ts'
import type { Db } from '../database/database.ts'
import type { SecretProblem, SecretState } from './secrets.ts'

export const stateColumns = 'secret_fingerprint, old_secret_fingerprint, hash_key_sealed, secret_rotated_at'

/** Reads the state of the secret from the database. */
export async function readSecretState(db: Db): Promise<SecretState> {
  const { rows } = await sql<SecretState>`select ${sql.raw(stateColumns)} from server`.execute(db)
  const [state] = rows
  if (!state) throw new Error('the database was not prepared')
  return state
}

/** Describes why a node cannot work with the database, and what the operator should do. */
export function describeSecretProblem(
  problem: SecretProblem,
  config: Pick<Config, 'secret' | 'data_dir'>,
): string {
  const source = config.secret ? 'OXBOW_SECRET' : `the file ${config.data_dir}/secret`
  switch (problem) {
    case 'unknown':
      return (
        `This database was set up with another secret than the one in ${source}, so no API key could be read.\n` +
        'Give this node the secret that the others have, by OXBOW_SECRET or by copying the file `secret` of their data_dir. ' +
        'If it is the only node, its file `secret` was lost or replaced: put back the old file, or the one that a backup contains.'
      )
    case 'replaced':
      return (
        `The secret of this database was changed by \`oxbow secret rotate\`, and the one in ${source} is the old one.\n` +
        'Give this node the new secret, by OXBOW_SECRET or by copying the file `secret` of the data_dir of the others.'
      )
    case 'unfinished':
      return (
        'The secret of this database is being changed, and not everything is sealed with the new one yet.\n' +
        'Give this node the old secret too, by OXBOW_OLD_SECRET or in the file `secret.old` of data_dir, until `oxbow secret rotate` says that it is done.'
      )
  }
}
