import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { type Config, loadConfig } from '@oxbow/server'
import { backUpServer, restoreServer, verifyBackup } from '@oxbow/server/backup'
import { basic, pngOf, startPostgresServer, startS3Server, testSecret } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { upload } from '@oxbow/testkit/calls/uploads'
import { createGardenOrganization, startNodeOn } from '@oxbow/testkit/garden/garden'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import { checkFileStore } from '../../src/operators/files.ts'

/** The object store lists ten files at a time. */
const fileCount = bySize({ gate: 12, long: 250 })

const directory = mkdtempSync(join(tmpdir(), 'oxbow-backup-s3-'))
const postgres = await startPostgresServer({ database: 'original' })
after(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})
const store = await startS3Server()
const bucket = await store.createBucket()

/** Returns the settings of a server whose database and data directory have this name. */
const configFor = (name: string, files: Partial<Config>): Config =>
  loadConfig(
    {
      database_url: postgres.url(name),
      data_dir: join(directory, name),
      port: 0,
      metrics_listen: 'off',
      rate_limit_per_minute: 0,
      secret: testSecret,
      ...files,
    },
    {},
  ).config
const original = configFor('original', bucket)
const quiet = { warn: () => {} }
const restoreOptions = { ...quiet, askPassphrase: () => Promise.reject(new Error('asked')) }

const started = await startNodeOn(original.database_url, original)
after(() => started[Symbol.asyncDispose]())
const { iris } = await createGardenOrganization(started)
const client = started.as(iris)
await client.users.setAvatar({ files: [{ name: 'x.png', bytes: pngOf(20, 20) }] })
const uploads = new Map<string, Buffer>()
for (let number = 0; number < fileCount; number++) {
  // The last file is larger than a part of an upload to the object store.
  const bytes = randomBytes(number === fileCount - 1 ? 12_000_000 : 2_000)
  const uri = await upload(client, `Plan für Beet ${number}.bin`, bytes)
  await sendToStream(client, 'roses', 'plans', `[plan](${uri})`)
  uploads.set(uri, bytes)
}
const keys = (await Array.fromAsync(started.node.app.files.list(''), ({ key }) => key)).sort()

const listEntries = (file: string): string[] =>
  execFileSync('tar', ['--list', '--file', file], { encoding: 'utf8' }).trim().split('\n')

/** Starts a node on a restored database. Returns the number of missing files, and of uploads that it serves unchanged. */
async function readRestored(config: Config): Promise<{ missing: number; unchanged: number }> {
  await using node = await startNodeOn(config.database_url, config)
  let unchanged = 0
  for (const [uri, bytes] of uploads) {
    const response = await fetch(node.node.url + uri, { headers: { authorization: basic(iris) } })
    const received = Buffer.from(await response.arrayBuffer())
    if (response.status === 200 && received.equals(bytes)) unchanged++
  }
  const missing = await checkFileStore(
    node.node.app,
    async (check) => (await Array.fromAsync(check.missing)).length,
  )
  return { missing, unchanged }
}

test('a backup of a server with an object store lists the files, and a restored server reads them from the bucket', async () => {
  const file = join(directory, 'listed.backup')
  const { manifest } = await backUpServer(original, file, quiet)
  await verifyBackup(file)

  assert.equal(manifest.files.kind, 'listed')
  const entries = listEntries(file)
  assert.deepEqual(
    entries.filter((name) => name.startsWith('files/')),
    [],
  )
  const listed = entries
    .filter((name) => name.startsWith('file-list/'))
    .flatMap((name) =>
      zstdDecompressSync(execFileSync('tar', ['--extract', '--to-stdout', '--file', file, name]))
        .toString()
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line).key)
  assert.deepEqual(listed.sort(), keys)

  const target = configFor('listed', bucket)
  await restoreServer(target, file, restoreOptions)
  assert.deepEqual(await readRestored(target), { missing: 0, unchanged: fileCount })
})

test('after a restore of listed files with an empty bucket, the check of files finds all of them missing', async () => {
  // A restore of listed files does not use the bucket, so the gate takes the database of the test above.
  const restoresAgain = bySize({ gate: false, long: true })
  const target = configFor(restoresAgain ? 'lost' : 'listed', await store.createBucket())
  if (restoresAgain) await restoreServer(target, join(directory, 'listed.backup'), restoreOptions)
  assert.deepEqual(await readRestored(target), { missing: keys.length, unchanged: 0 })
})

test('a backup that copies files from an object store is restored into another bucket or into a directory', async () => {
  const file = join(directory, 'copied.backup')
  const { manifest } = await backUpServer(original, file, { ...quiet, fileKind: 'copied' })
  await verifyBackup(file)
  assert.equal(manifest.files.kind, 'copied')
  assert.deepEqual(
    listEntries(file)
      .filter((name) => name.startsWith('files/'))
      .map((name) => name.slice('files/'.length))
      .sort(),
    keys,
  )

  for (const kind of sampleInGate(['bucket', 'directory'] as const, 1)) {
    const files_dir = join(directory, 'files')
    const target = configFor(`in_${kind}`, kind === 'bucket' ? await store.createBucket() : { files_dir })
    await restoreServer(target, file, restoreOptions)
    assert.deepEqual(await readRestored(target), { missing: 0, unchanged: fileCount })
    if (kind === 'bucket') continue
    const stored = readdirSync(files_dir, { recursive: true, withFileTypes: true })
    assert.equal(stored.filter((entry) => entry.isFile()).length, keys.length)
  }
})
