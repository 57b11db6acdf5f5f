import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { connectionOptions, loadConfig, migrateDatabase, schemaVersion } from '@oxbow/server'
import pg from 'pg'
import { testSecret, withTestServerLock } from './databases.ts'
import { freePort } from './free-port.ts'
import { removeOldEntries } from './remove-old-entries.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..', '..')
const script = join(root, 'scripts', 'start-postgres.sh')
const folder = join(root, '.cache', 'postgres-templates')
/** Read at the start, because tests of full disks change TMPDIR. */
const temporaryFolder = tmpdir()

/** The migrated database in the data of a template. */
const migrated = 'oxbow_migrated'

/**
 * Fills the directory of a new PostgreSQL server with data that has a migrated database. Creating
 * the data and migrating a database take 2.6 s of processor time, copying both takes 0.1 s.
 */
export async function copyPostgresTemplate(directory: string): Promise<void> {
  await run('cp', ['-a', '--reflink=auto', await ensureTemplate(), join(directory, 'data')])
}

/** Drops the migrated database of a server that was copied from the template. */
export async function dropMigratedDatabase(administrationUrl: string): Promise<void> {
  await query(administrationUrl, `drop database ${migrated}`)
}

/** Gives the migrated database of a server that was copied from the template this name. */
export async function renameMigratedDatabase(administrationUrl: string, name: string): Promise<void> {
  await query(administrationUrl, `alter database ${migrated} rename to ${pg.escapeIdentifier(name)}`)
}

/** Returns the template of the installed PostgreSQL and the current migrations, and creates it if it is missing. */
async function ensureTemplate(): Promise<string> {
  const versions = globSync('/usr/lib/postgresql/*').map((path) => basename(path))
  // A template that other versions of these files made may differ.
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(script))
    .digest('hex')
    .slice(0, 12)
  const template = join(folder, [...versions, schemaVersion(), hash].join('-'))
  if (existsSync(template)) {
    await utimes(template, new Date(), new Date())
    return template
  }
  return withTestServerLock(7301, async () => {
    if (!existsSync(template)) await createTemplate(template)
    return template
  })
}

async function createTemplate(template: string): Promise<void> {
  // The server's account may be unable to write in the project.
  const directory = await mkdtemp(join(temporaryFolder, 'oxbow-postgres-template-'))
  const port = await freePort()
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  let isRunning = true
  try {
    await run('bash', [script, '--for-tests', directory, String(port)])
    const { config } = loadConfig({ database_url: url(migrated), secret: testSecret }, {})
    await migrateDatabase(config)
    // Nodes with any secret may use the database.
    await query(url(migrated), 'delete from server')
    await keepLittleWal(url('postgres'))
    await run('bash', [script, '--shut-down', directory])
    isRunning = false
    await mkdir(folder, { recursive: true })
    await removeOldEntries(folder)
    const unfinished = join(await mkdtemp(join(folder, 'unfinished-')), 'data')
    await run('cp', ['-a', join(directory, 'data'), unfinished])
    // If another run with another server made the same template meanwhile, that one is used.
    await rename(unfinished, template).catch((error) => {
      if (!existsSync(template)) throw error
    })
    await rm(dirname(unfinished), { recursive: true })
  } finally {
    if (isRunning) await run('bash', [script, '--stop', directory]).catch(() => {})
    await rm(directory, { recursive: true, force: true })
  }
}

/** Makes the server remove its old WAL when it shuts down, instead of keeping the files for later. */
async function keepLittleWal(administrationUrl: string): Promise<void> {
  await query(
    administrationUrl,
    'alter system set wal_recycle = off',
    'select pg_reload_conf()',
    'alter system reset wal_recycle',
  )
}

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(connectionOptions(url))
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
