import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { BenchOrganization } from './bench-organization.ts'
import { insertEvents } from './outbox.ts'

export interface Pgbench {
  seconds: number
  /** Transactions per second; unlimited by default. */
  rate?: number
}

const clients = 8

/** Inserts outbox rows, one per transaction, from several sessions. Returns the committed rows per second. */
export async function runPgbench(
  { database, organization_id }: BenchOrganization,
  { seconds, rate }: Pgbench,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-pgbench-'))
  const script = join(directory, 'insert.sql')
  writeFileSync(script, `${insertEvents(organization_id).replaceAll('\n', ' ')};\n`)
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(seconds), '-f', script]
  if (rate !== undefined) args.push('--rate', String(rate))
  try {
    const output = await outputOf(spawn('pgbench', [...args, database.url]))
    return Number(/tps = ([\d.]+)/.exec(output)?.[1])
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function outputOf(child: ChildProcess): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error('the output of pgbench is not a pipe')
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const [output, errors] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed])
  if (!output.includes('tps = ')) throw new Error(`pgbench failed: ${errors}`)
  return output
}
