import pg from 'pg'
import { isOlderThanBaseline, isReplaced } from './baseline.ts'
import { connectionOptions } from './database.ts'
import { listMigrations } from './list-migrations.ts'

export interface SchemaComparison {
  /**
   * `newer`: a newer release has migrated the database. This release may still run during an upgrade.
   * `too_old`: the database must be upgraded with the commit `baseline.lastCommit` first.
   */
  state: 'empty' | 'same' | 'older' | 'too_old' | 'newer'
  /** Migrations of this release that the database lacks. */
  pending: string[]
  /** Applied migrations that this release does not have. */
  unknown: string[]
}

/** Compares the migrations of this release with those of a database. Changes nothing. */
export async function compareSchema(databaseUrl: string): Promise<SchemaComparison> {
  const known = listMigrations().map(({ name }) => name)
  const applied = await listApplied(databaseUrl)
  const pending = known.filter((name) => !applied.includes(name))
  const unknown = applied.filter((name) => !known.includes(name) && !isReplaced(name))
  if (applied.length === 0) return { state: 'empty', pending, unknown }
  if (isOlderThanBaseline(applied)) return { state: 'too_old', pending, unknown }
  if (unknown.length > 0) return { state: 'newer', pending, unknown }
  return { state: pending.length > 0 ? 'older' : 'same', pending, unknown }
}

async function listApplied(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client(connectionOptions(databaseUrl))
  await client.connect()
  try {
    const { rows } = await client.query("select to_regclass('schema_migration') is not null as exists")
    if (!rows[0].exists) return []
    const applied = await client.query<{ name: string }>('select name from schema_migration order by name')
    return applied.rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}
