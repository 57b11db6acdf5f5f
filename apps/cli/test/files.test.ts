import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort, pngOf, startS3Server, startWorld } from '@oxbow/testkit'
import { addEmoji } from '@oxbow/testkit/calls/emoji'
import { environmentFor, type Finished, runOxbow } from './run-oxbow.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const server = await startS3Server()
const bucket = await server.createBucket()

const picture = { name: 'x.png', bytes: pngOf(20, 20) }
const iris = await world.person('iris')
await iris.users.setAvatar({ files: [picture] })
await world.owner.organizationPictures.setIcon({ files: [picture] })
await world.owner.organizationPictures.setLogo({ night: true, files: [picture] })
await addEmoji(iris, 'owl')

const environment = environmentFor(world.database.url)
const { secret } = world.nodes.a.app.config
Object.assign(environment.env, { OXBOW_SECRET: secret, OXBOW_FILES_DIR: world.files_dir })
const withBucket = {
  env: {
    ...environment.env,
    ...Object.fromEntries(
      Object.entries(bucket).map(([name, value]) => [`OXBOW_${name.toUpperCase()}`, value]),
    ),
  },
}

const listFiles = async (): Promise<string[]> => {
  const found = await readdir(world.files_dir, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.map((path) => path.slice(world.files_dir.length + 1)).sort()
}

function parse({ status, stdout, stderr }: Finished): Record<string, unknown> {
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

test('files check reports no missing or unreferenced files if all pictures are in use', async () => {
  const { files, referenced, missing, unreferenced } = parse(
    await runOxbow(environment, 'files', 'check', '--json'),
  )
  assert.deepEqual([files, referenced, missing, unreferenced], [5, 5, [], []])
})

test('files check lists missing files, and old files that nothing refers to', async () => {
  const avatars = join(world.files_dir, 'avatars', String(world.organization_id), String(iris.user_id))
  const avatar = join(avatars, '2-small.png')
  const avatarBytes = await readFile(avatar)
  await rm(avatar)
  await mkdir(join(world.files_dir, 'avatars/9/9'), { recursive: true })
  const longAgo = Date.now() / 1_000 - 100_000
  await writeFile(join(world.files_dir, 'avatars/9/9/1-small.png'), 'old')
  await utimes(join(world.files_dir, 'avatars/9/9/1-small.png'), longAgo, longAgo)
  await writeFile(join(world.files_dir, 'avatars/9/9/2-small.png'), 'an upload that is not committed yet')

  const { status, stdout } = await runOxbow(environment, 'files', 'check')

  assert.equal(status, 1)
  assert.deepEqual(stdout.split('\n'), [
    `missing: avatars/${world.organization_id}/${iris.user_id}/2-small.png`,
    'not referred to: avatars/9/9/1-small.png',
    stdout.split('\n')[2],
    'Nothing refers to 1 files (3 bytes).',
    '',
  ])
  assert.match(stdout, /\n6 files \([\d.]+ \w+\)\. The database refers to 5; 1 of them are missing\.\n/)
  await writeFile(avatar, avatarBytes)
  await rm(join(world.files_dir, 'avatars/9'), { recursive: true })
})

test('files move copies in both directions, resumes, and removes old files only with --remove-old', async () => {
  const originals = await listFiles()
  assert.equal(originals.length, 5)
  const contents = await Promise.all(originals.map((name) => readFile(join(world.files_dir, name))))

  const first = await runOxbow(withBucket, 'files', 'move', '--to', 's3')
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^5 files are in the new store\. 5 were copied now/)
  assert.match(
    first.stdout,
    /2 nodes run and may have stored more files meanwhile\. Stop all nodes, run this/,
  )
  assert.deepEqual(await listFiles(), originals)
  const checked = parse(await runOxbow(withBucket, 'files', 'check', '--json'))
  assert.deepEqual([checked.files, checked.missing], [5, []])

  await writeFile(join(world.files_dir, 'late'), 'stored after the copy')
  const changed = join(world.files_dir, originals[0] ?? '')
  await writeFile(changed, Buffer.from(contents[0] ?? '').fill('y'))
  const second = parse(await runOxbow(withBucket, 'files', 'move', '--to', 's3', '--json'))
  assert.deepEqual([second.files, second.copied, second.removed], [6, 2, 0])

  // Stands for a file that nodes deleted in the new store, but not in the old one.
  await writeFile(join(world.files_dir, 'deleted'), 'its row is deleted too')
  const removed = parse(await runOxbow(withBucket, 'files', 'move', '--to', 's3', '--remove-old', '--json'))
  assert.deepEqual([removed.files, removed.copied, removed.removed, removed.unreferenced], [6, 0, 6, 1])
  assert.deepEqual(await listFiles(), ['deleted'])
  await rm(join(world.files_dir, 'deleted'))

  const back = parse(await runOxbow(withBucket, 'files', 'move', '--to', 'directory', '--json'))
  assert.deepEqual([back.files, back.copied], [6, 6])
  assert.deepEqual(await listFiles(), [...originals, 'late'].sort())
  assert.deepEqual(await readFile(join(world.files_dir, originals[1] ?? '')), contents[1])
  assert.ok((await readFile(changed)).every((byte) => byte === 'y'.charCodeAt(0)))
})

test('files move refuses to start without a usable object store', async () => {
  const without = await runOxbow(environment, 'files', 'move', '--to', 's3')
  assert.equal(without.status, 1)
  assert.match(without.stderr, /^No object store is set\. Give this command OXBOW_S3_BUCKET/)
  const OXBOW_S3_ENDPOINT = `http://127.0.0.1:${await freePort()}`
  const unreachable = { env: { ...withBucket.env, OXBOW_S3_ENDPOINT } }
  const away = await runOxbow(unreachable, 'files', 'move', '--to', 's3')
  assert.equal(away.status, 1)
  assert.match(away.stderr, /cannot be reached: connect ECONNREFUSED.*\nCheck OXBOW_S3_ENDPOINT, and/)
})
