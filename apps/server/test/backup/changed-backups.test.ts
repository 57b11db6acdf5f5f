import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { OperatorError } from '@oxbow/server'
import { backUpServer, restoreServer } from '@oxbow/server/backup'
import { startWorld } from '@oxbow/testkit'
import { withSession } from '@oxbow/testkit/garden/database-dump'
import { readArchive } from '../../src/platform/archive/archive-reader.ts'
import { ArchiveWriter } from '../../src/platform/archive/archive-writer.ts'
import type { Manifest } from '../../src/platform/archive/manifest.ts'

// A person changes a real backup, with right checksums, and hands it to an operator.
const directory = mkdtempSync(join(tmpdir(), 'oxbow-changed-'))
const world = await startWorld({ ownServer: true })
after(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
await world.stream('roses')
const { config } = world.nodes.a.app
const original = join(directory, 'original.backup')
await backUpServer(config, original, { warn: () => {} })
const entries = new Map<string, Buffer>()
const manifest = await readArchive(original, {
  visit: async ({ name, content }) => {
    entries.set(name, Buffer.concat(await Array.fromAsync(content)))
  },
})

const urlOf = (name: string) => Object.assign(new URL(config.database_url), { pathname: `/${name}` }).href
const name = `oxbow_test_changed_${randomInt(1e9)}`
const database_url = urlOf(name)
const dropDatabase = () =>
  withSession(urlOf('postgres'), (client) => client.query(`drop database if exists ${name}`))
after(dropDatabase)

interface Change {
  manifest?: (manifest: Manifest) => object
  entries?: (entries: Map<string, Buffer>) => void
}

async function restore({ manifest: changeManifest, entries: change }: Change): Promise<void> {
  const path = join(directory, 'changed.backup')
  const changed = new Map(entries)
  change?.(changed)
  const output = createWriteStream(path)
  const archive = new ArchiveWriter(output)
  for (const [entry, content] of changed) await archive.add(entry, content)
  await archive.finish({ ...manifest, ...changeManifest?.(structuredClone(manifest)) })
  output.end()
  await once(output, 'close')
  const [data_dir, files_dir] = [join(directory, 'data'), join(directory, 'files')]
  await restoreServer({ ...config, database_url, data_dir, files_dir }, path, {
    warn: () => {},
    askPassphrase: () => Promise.reject(new Error('asked')),
  })
}

/** Counts the organizations of the restored database; 0 if there is none. */
const countOrganizations = () =>
  withSession(database_url, (client) => client.query('select from organization')).then(
    ({ rowCount }) => rowCount,
    () => 0,
  )

const streamPart = 'tables/stream/000001.copy.zst'
const changeRows = (part: string, change: (rows: string) => string) => (changed: Map<string, Buffer>) => {
  const rows = zstdDecompressSync(changed.get(part) ?? Buffer.of()).toString()
  changed.set(part, zstdCompressSync(Buffer.from(change(rows))))
}
const inTable = (table: string, change: object) => (written: Manifest) => ({
  tables: written.tables.map((found) => (found.name === table ? { ...found, ...change } : found)),
})
const { migrations } = manifest
const changes: Record<string, Change> = {
  'another format': { manifest: () => ({ format: 2 }) },
  'an unknown migration': {
    manifest: () => ({ migrations: [...migrations, { name: '9999_later', checksum: 'ab' }] }),
  },
  'another form of a migration': {
    manifest: () => ({ migrations: migrations.map((migration) => ({ ...migration, checksum: 'ab' })) }),
  },
  'a migration that is listed twice': { manifest: () => ({ migrations: [...migrations, ...migrations] }) },
  'other tables of jobs': { manifest: () => ({ job_migration: 1 }) },
  'a newer PostgreSQL': { manifest: () => ({ postgres: '99.1' }) },
  'another encoding': { manifest: () => ({ encoding: 'LATIN1' }) },
  'a column that does not exist': {
    manifest: inTable('stream', { columns: ['organization_id', 'nothing'] }),
  },
  'a column that is missing': { manifest: inTable('stream', { columns: ['organization_id', 'id'] }) },
  'a table of another schema': {
    manifest: (written) => ({
      tables: [
        ...written.tables,
        { name: 'pg_catalog.pg_authid', columns: ['oid'], rows: 0, parts: 0, bytes: 0, sum: '0' },
      ],
    }),
  },
  'a table that backups do not contain': {
    manifest: (written) => ({
      tables: [
        ...written.tables,
        { name: 'schema_migration', columns: ['name'], rows: 0, parts: 0, bytes: 0, sum: '0' },
      ],
    }),
  },
  'a table that is listed twice': {
    manifest: (written) => ({ tables: [...written.tables, ...written.tables] }),
  },
  'a table that is missing': {
    manifest: (written) => ({ tables: written.tables.filter(({ name }) => name !== 'user_account') }),
    entries: (changed) => changed.delete('tables/user_account/000001.copy.zst'),
  },
  'a sequence that does not exist': {
    manifest: () => ({ sequences: [{ name: 'nothing', last_value: '1', is_called: true }] }),
  },
  'a value of a sequence that is too large': {
    manifest: (written) => ({
      sequences: written.sequences.map((sequence) => ({ ...sequence, last_value: '9'.repeat(40) })),
    }),
  },
  'values that are no numbers': {
    entries: changeRows(streamPart, (rows) => rows.replace(/^\d+\t\d+/, (ids) => ids.replace(/\d/g, 'x'))),
  },
  'rows with other values': { entries: changeRows(streamPart, (rows) => rows.replace('roses', 'r0ses')) },
  'a copy of a part': {
    entries: (changed) => changed.set('tables/stream/1.copy.zst', changed.get(streamPart) ?? Buffer.of()),
  },
  'an end of the rows inside of a part': {
    entries: changeRows(streamPart, (rows) => rows.replace('\n', '\n\\.\n')),
  },
}

for (const [what, change] of Object.entries(changes))
  test(`a changed backup is refused, and the database stays empty: ${what}`, async () => {
    await assert.rejects(restore(change), OperatorError)
    assert.equal(await countOrganizations(), 0)
  })

test('a backup that was not changed is restored', async () => {
  await restore({})
  assert.equal(await countOrganizations(), 1)
})
