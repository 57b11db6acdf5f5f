import { type RawBuilder, sql } from 'kysely'
import type { App } from '../app.ts'
import type { Db } from '../database/database.ts'
import type { ListedFile } from './file-store.ts'

/** Selects the keys of the files to which rows of a feature refer. */
export type FileReferences = RawBuilder<{ key: string }>

export interface AllReferences {
  /** Files that must be in the store. */
  required: readonly FileReferences[]
  /** Files that are made again on demand, so their absence is not an error. */
  derived: readonly FileReferences[]
}

export interface FileCheck {
  /** Number of files in the store; `bytes` is their total size. */
  files: number
  bytes: number
  /** Number of files to which the database refers. */
  referenced: number
  /** Keys to which the database refers and which the store lacks. */
  missing: AsyncIterable<string>
  /** Files to which no row refers. */
  unreferenced: AsyncIterable<{ key: string; size: number }>
}

const batchSize = 1_000

/**
 * Compares the store with the database, while nodes run. A file that the store lacks is missing only if the
 * database referred to it both before and after the store was listed. Files younger than a day are never
 * unreferenced, because a file is stored before the row that refers to it is committed. Both lists are
 * temporary tables, so memory does not grow with the number of files; `use` must read them before its
 * promise resolves.
 */
export async function compareFilesWithReferences<Result>(
  { db, files }: Pick<App, 'db' | 'files'>,
  { required, derived }: AllReferences,
  use: (check: FileCheck) => Promise<Result>,
): Promise<Result> {
  const requiredKeys = sql.join(required, sql` union all `)
  const allKeys = sql.join([...required, ...derived], sql` union all `)
  return db.connection().execute(async (connection) => {
    await createTables(connection)
    try {
      await sql`insert into pg_temp.referenced_file select distinct key from (${requiredKeys}) each`.execute(
        connection,
      )
      await saveListing(connection, files.list(''))
      await compare(connection, requiredKeys, allKeys)
      const [totals] = (
        await sql<{ files: number; bytes: number; referenced: number }>`
          select count(*) as files, coalesce(sum(size), 0)::float8 as bytes,
            (select count(*) from pg_temp.referenced_file) as referenced
          from pg_temp.stored_file`.execute(connection)
      ).rows
      return await use({
        files: Number(totals?.files),
        bytes: Number(totals?.bytes),
        referenced: Number(totals?.referenced),
        missing: mapKeys(readTable(connection, 'missing_file')),
        unreferenced: readTable(connection, 'unreferenced_file'),
      })
    } finally {
      await sql`drop table if exists pg_temp.referenced_file, pg_temp.stored_file, pg_temp.missing_file, pg_temp.unreferenced_file`.execute(
        connection,
      )
    }
  })
}

/**
 * Calls `use` with a function that returns whether the database referred to a file when `withReferences` was
 * called. Calls of that function must not overlap. The list is a temporary table, so memory does not grow
 * with the number of files.
 */
export async function withReferences<Result>(
  { db }: Pick<App, 'db'>,
  { required, derived }: AllReferences,
  use: (isReferenced: (key: string) => Promise<boolean>) => Promise<Result>,
): Promise<Result> {
  const allKeys = sql.join([...required, ...derived], sql` union all `)
  return db.connection().execute(async (connection) => {
    await sql`create temp table known_file (key text collate "C" primary key)`.execute(connection)
    try {
      await sql`insert into pg_temp.known_file select distinct key from (${allKeys}) each`.execute(connection)
      return await use(async (key) => {
        const { rows } = await sql`select from pg_temp.known_file where key = ${key}`.execute(connection)
        return rows.length > 0
      })
    } finally {
      await sql`drop table pg_temp.known_file`.execute(connection)
    }
  })
}

async function createTables(db: Db): Promise<void> {
  await sql`create temp table referenced_file (key text collate "C" primary key)`.execute(db)
  await sql`create temp table stored_file (key text collate "C" primary key, size bigint, changed_at timestamptz)`.execute(
    db,
  )
}

async function saveListing(db: Db, listing: AsyncIterable<ListedFile>): Promise<void> {
  let batch: ListedFile[] = []
  const save = async () => {
    const [keys, sizes, times] = [
      batch.map(({ key }) => key),
      batch.map(({ size }) => size),
      batch.map(({ changedAt }) => changedAt.toISOString()),
    ]
    await sql`
      insert into pg_temp.stored_file
      select * from unnest(${keys}::text[], ${sizes}::bigint[], ${times}::timestamptz[])
      on conflict do nothing`.execute(db)
    batch = []
  }
  for await (const file of listing) {
    batch.push(file)
    if (batch.length >= batchSize) await save()
  }
  await save()
}

async function compare(
  db: Db,
  requiredKeys: RawBuilder<unknown>,
  allKeys: RawBuilder<unknown>,
): Promise<void> {
  await sql`analyze pg_temp.referenced_file`.execute(db)
  await sql`analyze pg_temp.stored_file`.execute(db)
  const isStored = sql`exists (select from pg_temp.stored_file s where s.key = file.key)`
  const wasReferenced = sql`exists (select from pg_temp.referenced_file r where r.key = file.key)`
  const isAmong = (keys: RawBuilder<unknown>) =>
    sql`exists (select from (${keys}) each where each.key = file.key)`
  await sql`
    create temp table missing_file as select key, 0::bigint as size from pg_temp.referenced_file file
    where not ${isStored} and ${isAmong(requiredKeys)}`.execute(db)
  await sql`
    create temp table unreferenced_file as select key, size from pg_temp.stored_file file
    where changed_at < now() - interval '1 day' and not ${wasReferenced} and not ${isAmong(allKeys)}`.execute(
    db,
  )
}

async function* readTable(db: Db, table: string): AsyncGenerator<{ key: string; size: number }> {
  for (let last = ''; ; ) {
    const { rows } = await sql<{ key: string; size: number }>`
      select key, size from ${sql.table(`pg_temp.${table}`)}
      where key > ${last} collate "C" order by key collate "C" limit ${batchSize}`.execute(db)
    yield* rows
    if (rows.length < batchSize) return
    last = rows.at(-1)?.key ?? ''
  }
}

async function* mapKeys(rows: AsyncIterable<{ key: string }>): AsyncGenerator<string> {
  for await (const { key } of rows) yield key
}
