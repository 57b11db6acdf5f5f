import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@oxbow/testkit'
import type pg from 'pg'
import type { Village } from '../../subscriptions/village.ts'
import type { SendStatement } from './captured-send.ts'

export interface PgbenchSends {
  clients: number
  seconds: number
}

/** How often a second the statement was run by several sessions, with nothing between them and PostgreSQL. */
export async function pgbenchSends(
  { database, session }: Village,
  { text, values }: SendStatement,
  { clients, seconds }: PgbenchSends,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-pgbench-'))
  const script = join(directory, 'send.sql')
  const valueAt = (number: string) => values[Number(number) - 1] ?? null
  // Values come as variables: in the text of the script pgbench would look for variables in them.
  const query = text.replace(/\$(\d+)/g, (_, number) => (valueAt(number) === null ? 'null' : `:p${number}`))
  writeFileSync(script, `${query.replaceAll('\n', ' ')};\n`)
  const variables = values.flatMap((value, place) => (value === null ? [] : ['-D', `p${place + 1}=${value}`]))
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', script]
  const count = async () =>
    (await session.query<{ count: number }>('select count(*)::int as count from message')).rows[0]?.count ?? 0
  try {
    await untilIdle(session)
    const before = await count()
    const { stdout } = await promisify(execFile)('pgbench', [...options, ...variables, database.url])
    const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
    const sent = (await count()) - before
    if (sent !== done) throw new Error(`of ${done} messages pgbench sent ${sent}`)
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Those who wrote before may still be about it. */
async function untilIdle(session: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await session.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    return rowCount === 0
  })
}
