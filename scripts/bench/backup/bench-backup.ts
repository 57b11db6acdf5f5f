import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Account,
  copyPostgres18,
  measureOxbow,
  type PostgresServer,
  readProcessorSeconds,
  startNodeProcess,
  startPostgresServer,
  testSecret,
} from '@oxbow/testkit'
import pg from 'pg'
import { type Figure, print, printTable, quantile } from '../figures.ts'
import { createArchive } from '../messages/archive/create-archive.ts'
import { record } from '../results.ts'
import { type Sending, startSending } from './send-meanwhile.ts'

const senderCount = 4
/** How long sends are measured before the backup begins. */
const baselineMs = 15_000

/**
 * Measures `oxbow backup` while messages are sent, `oxbow backup verify`, and `oxbow restore` into the
 * installed PostgreSQL and into PostgreSQL 18. The clusters are the benchmark's own and have PostgreSQL's
 * default settings. Throws if a restored database lacks a message that was sent before the backup began.
 */
export async function benchBackup({ rows = 1_000_000 }: { rows?: number }): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'oxbow-bench-backup-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const installed = stack.use(await startPostgresServer())
  const binaries = stack.use(copyPostgres18() ?? { bin: '', [Symbol.dispose]: () => {} })
  const newest = binaries.bin === '' ? undefined : stack.use(await startPostgresServer({ bin: binaries.bin }))
  const environmentFor = (DATABASE_URL: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    DATABASE_URL,
    OXBOW_SECRET: testSecret,
    OXBOW_DATA_DIR: join(directory, 'data'),
  })
  const figures: Figure[] = []
  const add = (name: string, value: number, unit: string) => {
    figures.push({ label: name, measured: `${value.toFixed(value < 10 ? 1 : 0)} ${unit}` })
    record({ bench: 'backup', name, count: rows, value, unit, better: 'less' })
  }
  /** Runs a command that uses a database of the server. */
  const measure = async (name: string, server: PostgresServer, ...args: string[]) => {
    const postmaster = Number(
      readFileSync(join(server.directory, 'data/postmaster.pid'), 'utf8').split('\n')[0],
    )
    const before = readProcessorSeconds(postmaster, 'ended children')
    const measured = await measureOxbow(environmentFor(server.url('oxbow')), ...args)
    const ofServer = readProcessorSeconds(postmaster, 'ended children') - before
    print(`${name}: ${measured.seconds.toFixed(1)} s`)
    add(name, measured.seconds, 's')
    add(`${name}: processor time of the command`, measured.processorSeconds, 's')
    // Sessions of a stopped node can still be ending while a backup is verified, which needs no database.
    if (args[1] !== 'verify') add(`${name}: processor time of PostgreSQL`, ofServer, 's')
    add(`${name}: memory of the command`, measured.peakMb, 'MB')
  }

  // The archive is created on the server of the tests, which is faster, and moved to a cluster of its own.
  const first = join(directory, 'first.backup')
  const senders: Account[] = []
  {
    await using archive = await createArchive(rows)
    senders.push(...archive.members.slice(0, senderCount))
    await measureOxbow(environmentFor(archive.database.url), 'backup', first)
  }
  const version = await readVersion(installed)
  const original = installed.url('oxbow')
  await measure(`restore into PostgreSQL ${version}`, installed, 'restore', first)
  add('database with its indexes', (await readSize(original)) / 1e6, 'MB')
  await rm(first)

  const file = join(directory, 'second.backup')
  let acknowledged: number[]
  {
    await using node = await startNodeProcess({ database_url: original })
    const baseline = startSending(node.url, senders)
    await new Promise((resolve) => setTimeout(resolve, baselineMs))
    acknowledged = [...addSends('sends before the backup', await baseline.stop(), add)]
    const meanwhile = startSending(node.url, senders)
    await measure('backup while messages are sent', installed, 'backup', file)
    addSends('sends during the backup', await meanwhile.stop(), add)
  }
  add('backup file', (await stat(file)).size / 1e6, 'MB')
  await measure('verify', installed, 'backup', 'verify', file)
  if (newest) {
    await measure(`restore into PostgreSQL ${await readVersion(newest)}`, newest, 'restore', file)
    await assertHasMessages(newest.url('oxbow'), rows, acknowledged)
  }
  printTable(figures)
}

/** Returns the ids of the sent messages. */
function addSends(
  name: string,
  { ids, latencies }: Sending,
  add: (name: string, value: number, unit: string) => void,
): readonly number[] {
  print(`${name}: ${ids.length}`)
  for (const [share, label] of [
    [0.5, 'median'],
    [0.99, '99th percentile'],
  ] as const)
    add(`${name}: ${label}`, quantile(latencies, share), 'ms')
  return ids
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows[0] as Row
  } finally {
    await client.end()
  }
}

const readVersion = async (server: PostgresServer): Promise<number> =>
  Math.floor(
    (
      await query<{ version: number }>(
        server.url('postgres'),
        "select current_setting('server_version_num')::int as version",
      )
    ).version / 10_000,
  )

const readSize = async (url: string): Promise<number> =>
  Number((await query<{ size: string }>(url, 'select pg_database_size(current_database()) as size')).size)

async function assertHasMessages(url: string, rows: number, ids: readonly number[]): Promise<void> {
  const { all, sent } = await query<{ all: number; sent: number }>(
    url,
    'select count(*)::int as all, (count(*) filter (where id = any($1)))::int as sent from message',
    [ids],
  )
  if (sent !== ids.length || all < rows + ids.length)
    throw new Error(`the restored database has ${all} messages, and ${sent} of ${ids.length} that were sent`)
}
