import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** The unit of `/proc/PID/stat` is a hundredth of a second. */
const millisecondsPerTick = 10

/**
 * Returns the processor time, in milliseconds, of PostgreSQL's other sessions in this database and
 * of all ended sessions of the server. Unlike elapsed time, it is not affected by other load.
 * Undefined if `/proc` does not show the sessions.
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

/** Returns the processor time of ended sessions, which the kernel adds to their parent process. */
function millisecondsOfEnded(pid: number): number {
  const [, parent] = statusOf(pid)
  const status = statusOf(Number(parent))
  return (Number(status[13]) + Number(status[14])) * millisecondsPerTick
}

/**
 * Returns the fields after the process name, which may contain blanks: state, parent, …, user and
 * system time of children.
 */
function statusOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
