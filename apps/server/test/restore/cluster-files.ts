import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresServer } from '@oxbow/testkit'

/** Runs a command as the account of PostgreSQL. */
export function asPostgres(command: string): void {
  const args =
    process.getuid?.() === 0 ? ['su', 'postgres', '-s', '/bin/bash', '-c', command] : ['bash', '-c', command]
  execFileSync(args[0] ?? '', args.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Copies the files of a stopped server, like a snapshot of its machine. */
export function takeSnapshot({ directory }: PostgresServer): void {
  copy(join(directory, 'data'), join(directory, 'snapshot'))
}

/** Replaces the cluster's files by those of the snapshot. The cluster must be stopped. */
export function putBack({ directory }: PostgresServer): void {
  copy(join(directory, 'snapshot'), join(directory, 'data'))
}

function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  // Preserves owners and modes, which PostgreSQL checks.
  execFileSync('cp', ['-a', from, to])
}
