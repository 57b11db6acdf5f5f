import { readFileSync } from 'node:fs'
import type pg from 'pg'

/**
 * Milliseconds of a processor that PostgreSQL's other sessions in this database have taken so far; those that ended are
 * not counted. It says more than the clock where others use the machine too. Undefined where it cannot be seen from here.
 */
export async function processorTime(session: pg.Client): Promise<number | undefined> {
  const { rows } = await session.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  try {
    return rows.reduce((sum, { pid }) => sum + nanosecondsOf(pid) / 1e6, 0)
  } catch {
    return undefined
  }
}

function nanosecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
}
