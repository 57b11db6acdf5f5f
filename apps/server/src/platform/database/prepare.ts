import pg from 'pg'
import type { Config } from '../config/settings.ts'
import { migrateJobs } from '../jobs/jobs.ts'
import { SetupError } from '../operator-error.ts'
import { describeSecretProblem, stateColumns } from '../secrets/secret-state.ts'
import { readSecrets, type SecretState, type Secrets } from '../secrets/secrets.ts'
import { compareSchema } from './compare-schema.ts'
import { connectionOptions } from './database.ts'
import { ensureDatabase, migrate } from './migrate.ts'
import { refuseUnsupportedDatabase } from './refuse-unsupported.ts'

/**
 * Creates and migrates the database if needed, and checks that this node has the secret of the database.
 * Returns the applied migrations. `warn` gets a message whenever other sessions block a migration, and if a
 * newer release has migrated the database.
 */
export async function prepareDatabase(
  config: Config,
  secrets = readSecrets(config),
  warn: (message: string) => void = () => {},
): Promise<string[]> {
  await ensureDatabase(config.database_url)
  await refuseUnsupportedDatabase(config.database_url)
  const applied = await migrate(config.database_url, undefined, warn)
  const { unknown } = await compareSchema(config.database_url)
  if (unknown.length > 0)
    warn(
      `A newer version of Oxbow has applied ${unknown.join(', ')} to the database. This version runs with it during the upgrade; install the newer one soon.`,
    )
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
