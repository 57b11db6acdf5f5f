import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '@oxbow/server'
import {
  downloadChunks,
  eventually,
  type NodeProcess,
  type Person,
  type S3Config,
  s3Environment,
  startNodeProcess,
  startS3Server,
  startWorld,
  uploadChunks,
  type World,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { removeAbandonedUploads } from '../../src/messages/uploads/remove-files.ts'
import { checkFileStore } from '../../src/operators/files.ts'
import { s3Files } from '../../src/platform/files/s3/s3-files.ts'
import { readS3Settings } from '../../src/platform/files/s3/s3-settings.ts'
import { tidyFiles } from '../../src/platform/files/tidy-files.ts'

const kills = bySize({ gate: 1, long: 10 })
/** Bytes of each writer's files. The object store gets more than 5 MiB in several parts. */
const sizes = [20_000, 700_000, 6_000_000]
const readers = 3

interface Transfers {
  /** Digests of acknowledged files by `uri`. */
  acknowledged: Map<string, string>
  /** Digests of the downloads that ended without an error. */
  downloaded: string[]
  /** Number of downloads that were interrupted. */
  cut: number
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Uploads and downloads files at this node until it is killed. */
async function transferUntilKilled(
  node: NodeProcess,
  iris: Person,
  read: string,
  transfers: Transfers,
): Promise<void> {
  const write = async (size: number) => {
    for (;;) {
      const content = randomBytes(size)
      const pieces = Array.from({ length: 20 }, (_, index) =>
        content.subarray((index * size) / 20, ((index + 1) * size) / 20),
      )
      const { uri, text } = await uploadChunks(node.url, iris, pieces)
      transfers.acknowledged.set(uri ?? assert.fail(text), sha256(content))
    }
  }
  const readRepeatedly = async () => {
    for (;;) transfers.downloaded.push(await digestOf(node.url, iris, read))
  }
  const ends = [
    ...sizes.map((size) => write(size)),
    ...Array.from({ length: readers }, () =>
      readRepeatedly().catch((error: unknown) => {
        transfers.cut++
        throw error
      }),
    ),
  ]
  const results = await Promise.allSettled(ends)
  for (const { reason } of results as PromiseRejectedResult[])
    assert.match(String(reason.code), /ECONNRESET|ECONNREFUSED|EPIPE/, String(reason))
}

/** Yields several parts of a file, and then continues slowly, so that its upload never ends. */
async function* endlessFile() {
  yield randomBytes(6_000_000)
  for (;;) {
    await sleep(100)
    yield randomBytes(1000)
  }
}

async function digestOf(url: string, iris: Person, path: string): Promise<string> {
  const hash = createHash('sha256')
  await downloadChunks(url, iris, path, (chunk) => hash.update(chunk))
  return hash.digest('hex')
}

/**
 * Compares the store with the database, and counts files without rows, rows without files, and
 * unfinished uploads.
 */
async function countLeftovers(world: World) {
  const [files, referenced, missing] = await checkFileStore(world.nodes.a.app, async (check) => {
    const missingFiles = await Array.fromAsync(check.missing)
    return [check.files, check.referenced, missingFiles.length]
  })
  const rows = await countUnfinishedUploads(world)
  return { unreferenced: (files ?? 0) - (referenced ?? 0), missing, rows }
}

async function countUnfinishedUploads({ database }: World): Promise<number> {
  return (await database.query('select from unfinished_upload')).length
}

for (const kind of ['directory', 's3'] as const) {
  test(`${kind}: a node killed during uploads and downloads loses no acknowledged file, and its leftovers are removed`, async () => {
    const bucket = kind === 's3' ? await (await startS3Server()).createBucket() : undefined
    await using world = await startWorld({ ownServer: true, config: bucket ?? {} })
    const iris = await world.person('iris')
    const env = { OXBOW_FILES_DIR: world.files_dir, ...(bucket && s3Environment(bucket)) }
    const transfers: Transfers = { acknowledged: new Map(), downloaded: [], cut: 0 }
    const large = randomBytes(8_000_000)
    const first = await uploadChunks(world.nodes.b.url, iris, [large])
    const read = first.uri ?? assert.fail(first.text)
    transfers.acknowledged.set(read, sha256(large))

    for (let kill = 0; kill < kills; kill++) {
      await using node = await startNodeProcess({ database_url: world.database.url, env })
      const { acknowledged } = transfers
      const before = acknowledged.size
      const unfinished = await countUnfinishedUploads(world)
      const cutUpload = assert.rejects(uploadChunks(node.url, iris, endlessFile()))
      await eventually(async () => (await countUnfinishedUploads(world)) > unfinished)
      const ended = transferUntilKilled(node, iris, read, transfers)
      await eventually(() => acknowledged.size >= before + 4)
      node.signal('SIGKILL')
      await Promise.all([ended, cutUpload])
    }

    const { acknowledged, downloaded, cut } = transfers
    assert.ok(cut > 0)
    assert.deepEqual(new Set([...downloaded, sha256(large)]), new Set([sha256(large)]))
    for (const [uri, digest] of acknowledged)
      assert.equal(await digestOf(world.nodes.b.url, iris, uri), digest, uri)
    // Every row needs its file, also if the node died after the commit and before the response.
    const rows = await world.database.query<{ path_id: string; sha256: string }>(
      'select path_id, sha256 from upload',
    )
    for (const { path_id, sha256: digest } of rows)
      assert.equal(await digestOf(world.nodes.b.url, iris, `/user_uploads/${path_id}`), digest, path_id)

    const { app } = world.nodes.a
    const clean = async () => {
      await removeAbandonedUploads.run(app, {})
      await tidyFiles.run(app, {})
    }
    const leftovers = await countLeftovers(world)
    assert.equal(leftovers.missing, 0)
    assert.ok(leftovers.rows >= kills)
    await clean()
    assert.equal((await countLeftovers(world)).rows, leftovers.rows, 'uploads may still be under way')

    await makeStale(world, bucket)
    await clean()
    assert.deepEqual(await countLeftovers(world), { unreferenced: 0, missing: 0, rows: 0 })
    assert.deepEqual(await readdir(join(world.files_dir, '.unfinished')).catch(() => []), [])
    for (const [uri, digest] of acknowledged)
      assert.equal(await digestOf(world.nodes.b.url, iris, uri), digest, uri)
  })
}

/** Makes all unfinished uploads look more than a day old. */
async function makeStale({ database, files_dir }: World, bucket: S3Config | undefined) {
  await database.query(`update unfinished_upload set started_at = started_at - interval '25 hours'`)
  const drafts = join(files_dir, '.unfinished')
  const old = new Date(Date.now() - 25 * 3_600_000)
  for (const name of await readdir(drafts).catch(() => [])) await utimes(join(drafts, name), old, old)
  const settings = readS3Settings(loadConfig(bucket ?? {}, {}).config)
  // Only the object store knows the age of an upload, so the limit is set to 0.
  if (settings) await s3Files(settings, { abandonedAfterMs: 0 }).tidy()
}
