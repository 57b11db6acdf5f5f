import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@oxbow/testkit'
import type pg from 'pg'
import type { LargeOrganization } from '../../subscriptions/large-organization.ts'
import type { SendStatement } from './captured-send.ts'

export interface PgbenchSends {
  clients: number
  seconds: number
}

/** Runs the statement with pgbench from several sessions and returns the runs per second. */
export async function pgbenchSends(
  { database, session }: LargeOrganization,
  { text, values }: SendStatement,
  { clients, seconds }: PgbenchSends,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-pgbench-'))
  const script = join(directory, 'send.sql')
  const valueAt = (number: string) => values[Number(number) - 1] ?? null
  // Passes values as variables, because pgbench would interpret parts of a literal text as
  // variables.
  const query = text.replace(/\$(\d+)/g, (_, number) => (valueAt(number) === null ? 'null' : `:p${number}`))
  writeFileSync(script, `${query.replaceAll('\n', ' ')};\n`)
  const variables = values.flatMap((value, index) => (value === null ? [] : ['-D', `p${index + 1}=${value}`]))
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', script]
  const count = async () =>
    (await session.query<{ count: number }>('select count(*)::int as count from message')).rows[0]?.count ?? 0
  try {
    await waitUntilIdle(session)
    const before = await count()
    const { stdout } = await promisify(execFile)('pgbench', [...options, ...variables, database.url])
    const done = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
    const sent = (await count()) - before
    if (sent < done) throw new Error(`pgbench sent only ${sent} of ${done} messages`)
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Waits until no other session of the database runs a statement. */
async function waitUntilIdle(session: pg.Client): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await session.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    return rowCount === 0
  })
}
