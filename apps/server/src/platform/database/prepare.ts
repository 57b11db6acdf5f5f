import pg from 'pg'
import type { Config } from '../config/settings.ts'
import { migrateJobs } from '../jobs.ts'
import { SetupError } from '../operator-error.ts'
import { makeSecrets, readSecret, type Secrets } from '../secrets.ts'
import { connectionOptions } from './database.ts'
import { ensureDatabase, migrate } from './migrate.ts'
import { refuseUnfitDatabase } from './refuse-unfit.ts'

/** Creates and migrates the database as needed, and makes sure that this node's secret is the one it was set up with. */
export async function prepareDatabase(
  config: Config,
  secrets = makeSecrets(readSecret(config)),
): Promise<string[]> {
  await ensureDatabase(config.database_url)
  await refuseUnfitDatabase(config.database_url)
  const applied = await migrate(config.database_url)
  await migrateJobs(config.database_url)
  await checkSecret(config, secrets)
  return applied
}

async function checkSecret(config: Config, { fingerprint }: Secrets): Promise<void> {
  const client = new pg.Client(connectionOptions(config.database_url))
  await client.connect()
  try {
    await client.query('insert into server (secret_fingerprint) values ($1) on conflict do nothing', [
      fingerprint,
    ])
    const { rows } = await client.query<{ secret_fingerprint: Buffer }>(
      'select secret_fingerprint from server',
    )
    if (rows[0]?.secret_fingerprint.equals(fingerprint)) return
    const place = config.secret ? 'OXBOW_SECRET' : `the file ${config.data_dir}/secret`
    throw new SetupError(
      `This database was set up with another secret than the one in ${place}, so no API key could be read.\n` +
        'Give this node the secret that the others have, by OXBOW_SECRET or by copying the file `secret` of their data_dir.',
    )
  } finally {
    await client.end()
  }
}
