import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findAssetPath } from '@oxbow/assets'
import { sql } from 'kysely'
import { baseline } from './baseline.ts'
import type { Db } from './database.ts'
import { listMigrations } from './list-migrations.ts'
import { lockKey } from './locks.ts'

export interface IndexProblem {
  name: string
  state: 'missing' | 'invalid'
  /** The SQL statement that repairs the index. */
  repair: string
}

/**
 * Lists the indexes of `schema.sql` with their statements. A test ensures that the file equals the result of
 * the migrations.
 */
function listIndexes(): Map<string, string> {
  const schema = readFileSync(join(findAssetPath('sql'), 'migrations', 'schema.sql'), 'utf8')
  const statements = schema.split(/;\n/).map((statement) => statement.trim())
  const named = statements.flatMap((statement) => {
    const [, name] =
      /^CREATE (?:UNIQUE )?INDEX (\w+) ON /.exec(statement) ??
      /ADD CONSTRAINT (\w+) (?:PRIMARY KEY|UNIQUE) /.exec(statement) ??
      []
    return name ? [[name, `${statement.replace(/\s+/g, ' ')};`] as const] : []
  })
  return new Map(named)
}

/**
 * Finds missing or invalid indexes, as left by a partly failed restore. Ignores indexes that a running
 * migration is building, and, if a newer release has migrated the database, missing indexes, which that
 * release may have dropped.
 */
export async function findIndexProblems(db: Db): Promise<IndexProblem[]> {
  const expected = listIndexes()
  const lock = lockKey('migrations')
  const { rows } = await sql<{ name: string; isMissing: boolean }>`
    with migrating as (
      select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid = ${(lock >> 32n).toString()}::bigint::oid and objid = ${(lock & 0xffffffffn).toString()}::bigint::oid
    ), newer as (
      select from schema_migration where name <> all(${listMigrations().map(({ name }) => name)}::text[])
        and name > ${baseline.name} collate "C"
    )
    select expected.name, c.oid is null as "isMissing"
    from unnest(${[...expected.keys()]}::text[]) as expected (name)
    left join pg_class c on c.relname = expected.name and c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('i', 'I')
    left join pg_index i on i.indexrelid = c.oid
    where case
      when c.oid is null then not exists (select from newer) and not exists (select from migrating)
      else not i.indisvalid and not (exists (select from migrating) and exists (
        select from pg_stat_progress_create_index p where p.index_relid = c.oid))
    end
    order by 1`.execute(db)
  return rows.map(({ name, isMissing }) => ({
    name,
    state: isMissing ? 'missing' : 'invalid',
    repair: isMissing ? (expected.get(name) ?? '') : `REINDEX INDEX ${name};`,
  }))
}
