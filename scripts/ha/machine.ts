import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface ProcessAccount {
  uid?: number
  gid?: number
}

/** Returns the account of the processes: PostgreSQL refuses to run as root, so root starts them as `postgres`. */
export function findAccount(): ProcessAccount {
  if (process.getuid?.() !== 0) return {}
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Returns the directory with the newest PostgreSQL binaries of this machine. */
export function findPostgresBinaries(): string {
  const base = '/usr/lib/postgresql'
  const newest = readdirSync(base).sort((a, b) => Number(b) - Number(a))[0]
  if (!newest) throw new Error('PostgreSQL is not installed; run: apt-get install postgresql')
  return join(base, newest, 'bin')
}
