import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** Of a processor: `/proc` counts in hundredths of a second. */
const millisecondsOfTick = 10

/**
 * Milliseconds of a processor that PostgreSQL's other sessions in this database have taken so far, and all of the server's that
 * ended. It says more than the clock where others use the machine too. Undefined where it cannot be seen from here.
 */
export async function processorTime(session: pg.Client): Promise<number | undefined> {
  const { rows } = await session.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  try {
    const [any] = rows
    const ended = any ? millisecondsOfEnded(any.pid) : 0
    return rows.reduce((sum, { pid }) => sum + nanosecondsOf(pid) / 1e6, ended)
  } catch {
    return undefined
  }
}

function nanosecondsOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
}

/** Sessions are children of one process, which is told what they took when they end. By any that goes on. */
function millisecondsOfEnded(pid: number): number {
  const [, parent] = statusOf(pid)
  const status = statusOf(Number(parent))
  return (Number(status[13]) + Number(status[14])) * millisecondsOfTick
}

/** What stands behind the name, which may hold blanks: state, parent, …, time of ended children in user and system mode. */
function statusOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
