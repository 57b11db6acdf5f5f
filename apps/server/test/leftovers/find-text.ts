import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestDatabase } from '@oxbow/testkit'

interface TableName {
  schema: string
  name: string
}

/** Lists all tables of the database, including partitions and the tables of the job queue. */
async function listTables(database: TestDatabase): Promise<TableName[]> {
  return database.query<TableName>(`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1, 2`)
}

/**
 * Returns the tables with a row that contains the text in any column, regardless of case. Also finds
 * the text in binary columns. Partitions of the event log are reported as `event_batch`.
 */
export async function findInDatabase(database: TestDatabase, text: string): Promise<string[]> {
  const found = new Set<string>()
  const patterns = [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]
  for (const { schema, name } of await listTables(database)) {
    const rows = await database.query(
      `select from "${schema}"."${name}" as searched where searched::text ilike any($1) limit 1`,
      [patterns],
    )
    if (rows.length > 0) found.add(name.replace(/^event_batch_\d+$/, 'event_batch'))
  }
  return [...found].sort()
}

/** Returns the names of files below a directory whose path or content contains the text. */
export async function findInFiles(directory: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    try {
      if (entry.isDirectory()) found.push(...(await findInFiles(path, text)))
      else if (entry.isFile() && (path.includes(text) || (await readFile(path)).includes(text)))
        found.push(path)
    } catch (error) {
      // A node may remove a file or an empty directory after it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return found
}

/** Counts the rows of an organization in each table with an organization id. */
export async function countOwnedRows(
  database: TestDatabase,
  organization_id: number,
): Promise<Map<string, number>> {
  const tables = await database.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`)
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${name}" where organization_id = $1`,
      [organization_id],
    )
    counts.set(name, row?.count ?? 0)
  }
  return counts
}
