import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connectionOptions } from '@oxbow/server'
import pg from 'pg'

const run = promisify(execFile)

/** Writes a dump with the commands of the README. */
export async function dump(url: string, file: string): Promise<void> {
  await run('pg_dump', ['--format=custom', `--file=${file}`, url])
}

/** Restores a dump with the commands of the README. Fails if anything in it cannot be restored. */
export async function restore(file: string, url: string, ...options: string[]): Promise<void> {
  await run('pg_restore', ['--single-transaction', '--no-owner', ...options, `--dbname=${url}`, file])
}

/**
 * Replaces the tables of a database by those of a dump. This is not done in one transaction,
 * because pg_restore tries to drop keys of single partitions, which PostgreSQL refuses, and then
 * continues.
 */
export async function restoreInPlace(file: string, url: string): Promise<void> {
  const args = ['--clean', '--if-exists', '--no-owner', `--dbname=${url}`, file]
  await run('pg_restore', args).catch(({ stderr }: { stderr: string }) => {
    const errors = stderr.split('\n').filter((line) => line.includes('ERROR'))
    if (errors.some((line) => !line.includes('cannot drop inherited constraint'))) throw new Error(stderr)
  })
}

/**
 * Returns the schema as this machine's pg_dump writes it, without comments, settings and lines that
 * differ in each dump.
 */
export async function readSchema(url: string): Promise<string> {
  const { stdout } = await run('pg_dump', ['--schema-only', '--no-owner', url], { maxBuffer: 64_000_000 })
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !/^(--|SET |SELECT pg_catalog|\\)/.test(line))
    .join('\n')
}

/** Runs `work` with a separate database session. */
export async function withSession<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connectionOptions(url))
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the row count and checksum of every table, and the value of every sequence. */
export async function readContents(url: string): Promise<Record<string, string>> {
  return withSession(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
      order by 1`)
    const contents: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ contents: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as contents from ${name} t`,
      )
      contents[name] = rows[0]?.contents ?? ''
    }
    const { rows: sequences } = await client.query<{ name: string; value: string }>(
      `select schemaname || '.' || sequencename as name, coalesce(last_value, 0)::text as value from pg_sequences order by 1`,
    )
    for (const { name, value } of sequences) contents[name] = value
    return contents
  })
}
