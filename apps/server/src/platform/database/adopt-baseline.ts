import pg from 'pg'
import { SetupError } from '../operator-error.ts'
import { baseline, isOlderThanBaseline, isReplaced } from './baseline.ts'
import type { Migration } from './list-migrations.ts'
import { describeDifferences, findDifferences, readSchemaObjects } from './schema-objects.ts'

/**
 * Returns the baseline if the database has the schema of the migrations that it replaces, and has not adopted it
 * yet. Throws a `SetupError` if the database is older.
 */
export function findBaselineToAdopt(
  migrations: readonly Migration[],
  applied: readonly string[],
): Migration | undefined {
  const found = migrations.find(({ name }) => name === baseline.name)
  if (!found || applied.includes(found.name) || !applied.some(isReplaced)) return undefined
  if (isOlderThanBaseline(applied))
    throw new SetupError(
      `The newest migration of the database is ${applied.toSorted().at(-1)}, and this version needs ${baseline.lastReplaced} or newer.\n` +
        `Upgrade in two steps: install the commit ${baseline.lastCommit} of Oxbow and run "oxbow migrate" once, then install this version again.`,
    )
  return found
}

/**
 * Throws a `SetupError` that lists the differences if the schema of the database is not the one that the baseline
 * creates. Must run in the transaction that records the baseline.
 */
export async function refuseOtherSchema(client: pg.Client, { sql }: Migration): Promise<void> {
  // This takes a while, and reading the schema of the database locks tables against changes of their schema.
  const expected = await readExpected(client, sql)
  const differences = findDifferences(expected, await readSchemaObjects(client))
  if (differences.length > 0) throw new SetupError(explain(describeDifferences(differences)))
}

const explain = (differences: string): string =>
  'The schema of the database is not the one that its migrations created, so this version cannot use it, and changed nothing:\n' +
  `${differences}\n` +
  'Change these objects in psql, as the owner of the tables, to their definitions in apps/server/src/migrations/schema.sql. ' +
  'Or restore a backup into an empty database. Nodes of the version before can still run.'

const comparisonSchema = 'oxbow_baseline'

/**
 * Reads the schema that the baseline creates. It is created in a separate schema of this database, and removed
 * again: the same PostgreSQL then describes both, so its version makes no difference.
 */
async function readExpected(
  client: pg.Client,
  sql: string,
): Promise<Awaited<ReturnType<typeof readSchemaObjects>>> {
  await client.query('savepoint comparison')
  try {
    await client.query(`create schema ${comparisonSchema}`)
  } catch (cause) {
    if ((cause as { code?: string }).code !== '42501') throw cause
    throw new SetupError(
      `To compare the tables with those of this version, the role ${client.user} needs the right to create a schema in the database.\n` +
        'Run "oxbow migrate" once with the role that owns the database, or as an administrator of PostgreSQL: ' +
        `grant create on database ${pg.escapeIdentifier(client.database ?? '')} to ${pg.escapeIdentifier(client.user ?? '')}`,
      { cause },
    )
  }
  await client.query(`set local search_path = ${comparisonSchema}`)
  await client.query(sql)
  const expected = await readSchemaObjects(client)
  await client.query('rollback to savepoint comparison')
  return expected
}
