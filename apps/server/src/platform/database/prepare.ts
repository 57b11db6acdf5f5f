import pg from 'pg'
import type { Config } from '../config/settings.ts'
import { migrateJobs } from '../jobs.ts'
import { SetupError } from '../operator-error.ts'
import { describeSecretProblem, stateColumns } from '../secret-state.ts'
import { readSecrets, type SecretState, type Secrets } from '../secrets.ts'
import { connectionOptions } from './database.ts'
import { ensureDatabase, migrate } from './migrate.ts'
import { refuseUnsupportedDatabase } from './refuse-unsupported.ts'

/**
 * Creates and migrates the database as needed, and checks that this node has its secret. Returns
 * applied migrations. `onBlocked` gets a message whenever other sessions hold a migration up.
 */
export async function prepareDatabase(
  config: Config,
  secrets = readSecrets(config),
  onBlocked?: (message: string) => void,
): Promise<string[]> {
  await ensureDatabase(config.database_url)
  await refuseUnsupportedDatabase(config.database_url)
  const applied = await migrate(config.database_url, undefined, onBlocked)
  await migrateJobs(config.database_url)
  await checkSecret(config, secrets)
  return applied
}

async function checkSecret(config: Config, secrets: Secrets): Promise<void> {
  const client = new pg.Client(connectionOptions(config.database_url))
  await client.connect()
  try {
    await client.query('insert into server (secret_fingerprint) values ($1) on conflict do nothing', [
      secrets.fingerprint,
    ])
    const { rows } = await client.query<SecretState>(`select ${stateColumns} from server`)
    const problem = secrets.adopt(rows[0] as SecretState)
    if (problem) throw new SetupError(describeSecretProblem(problem, config))
  } finally {
    await client.end()
  }
}
