import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClientRelease, readClientRelease } from './client-release.ts'
import { keepRelease } from './keep-release.ts'

const folder = await mkdtemp(join(tmpdir(), 'oxbow-releases-'))
after(() => rm(folder, { recursive: true }))
const kept = join(folder, 'kept')

/** Writes a build with one asset. */
async function makeRelease(build: string): Promise<ClientRelease> {
  const directory = join(folder, build)
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(directory, `assets/${build}.js`), build)
  const files = { [`assets/${build}.js`]: { hash: build, size: build.length } }
  await writeFile(join(directory, 'manifest.json'), JSON.stringify({ build, files }))
  return readClientRelease(directory) ?? assert.fail()
}

const buildsOf = (releases: readonly ClientRelease[]) => releases.map(({ build }) => build).sort()
const age = (build: string, hours: number) => {
  const time = new Date(Date.now() - hours * 3_600_000)
  return utimes(join(kept, build), time, time)
}

test('the assets of a replaced release are kept for a day after it was replaced', async () => {
  const [first, second] = [await makeRelease('one'), await makeRelease('two')]
  assert.deepEqual(await keepRelease(first, kept), [])
  await age('one', 100)

  assert.deepEqual(buildsOf(await keepRelease(second, kept)), ['one'])
  assert.deepEqual(buildsOf(await keepRelease(second, kept)), ['one'], 'another start changes nothing')
  await age('one', 25)
  assert.deepEqual(await keepRelease(second, kept), [])

  assert.deepEqual((await readdir(kept)).sort(), ['current', 'two'])
})

test('the kept files of a release take no additional space', async () => {
  const release = await makeRelease('linked')
  await keepRelease(release, kept)
  const file = 'assets/linked.js'
  const [served, copy] = [await stat(join(release.directory, file)), await stat(join(kept, 'linked', file))]
  assert.equal(copy.ino, served.ino)
})

test('returning to an older release keeps the newer one for a day', async () => {
  const [old, recent] = [await makeRelease('old'), await makeRelease('recent')]
  await keepRelease(old, kept)
  await keepRelease(recent, kept)
  await age('recent', 100)

  const previous = await keepRelease(old, kept)

  assert.ok(buildsOf(previous).includes('recent'))
  assert.ok(previous.find(({ build }) => build === 'recent')?.files.has('/assets/recent.js'))
})

test('a copy that was interrupted is not served', async () => {
  const release = await makeRelease('whole')
  await mkdir(join(kept, 'unfinished-1'), { recursive: true })
  assert.ok(!buildsOf(await keepRelease(release, kept)).includes('unfinished-1'))
})

test('nodes that share a directory can start at the same time', async () => {
  const shared = join(folder, 'shared')
  const release = await makeRelease('started')
  for (let round = 0; round < 20; round++) {
    // Some nodes find unfinished copies of other nodes.
    const starts = Array.from({ length: 12 }, (_, index) =>
      delay(index).then(() => keepRelease(release, shared)),
    )
    await Promise.all(starts)
    await rm(shared, { recursive: true })
  }
})

test('readClientRelease returns undefined for a directory without a manifest', () => {
  assert.equal(readClientRelease(join(folder, 'none')), undefined)
})
