import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { type HostileImage, hostileImages, mark, type Outcome } from '@oxbow/testkit/hostile-images/all'
import { sampleInGate } from '@oxbow/testkit/size'
import sharp from 'sharp'
import { postImage, startVictim } from './start-victim.ts'

/**
 * Maximum duration of an upload. The server stops processing after 20 s; the rest allows for a busy
 * machine.
 */
const maxMs = 25_000
const maxGrowth = 150_000_000
const mostOfDecoder = 700_000_000

const victim = await startVictim()
after(() => victim[Symbol.asyncDispose]())
const { world, node, mallory } = victim

const refusals: Partial<Record<Outcome, [code: string, msg: string]>> = {
  unreadable: ['BAD_IMAGE', 'Could not decode image; did you upload an image file?'],
  'too large': ['BAD_IMAGE', 'Image size exceeds limit.'],
  'no file': ['BAD_REQUEST', 'You must upload exactly one avatar.'],
}

async function upload(image: HostileImage) {
  const started = performance.now()
  const response = await postImage(`${node.url}/api/v1/users/me/avatar`, mallory, image)
  const received = (await response.json()) as { code?: string; msg: string; avatar_url?: string }
  return { status: response.status, ...received, took: performance.now() - started }
}

/** Asserts that the stored file is a picture that the server encoded, without any part of the upload. */
async function fetchPicture(url: string): Promise<void> {
  for (const [path, side] of [
    [url, 100],
    [url.replace('.png', '-medium.png'), 500],
  ] as const) {
    const response = await fetch(node.url + path)
    const bytes = Buffer.from(await response.arrayBuffer())
    const headers = ['content-type', 'x-content-type-options'].map((name) => response.headers.get(name))
    assert.deepEqual([response.status, ...headers], [200, 'image/png', 'nosniff'])
    const { format, width, height, exif, xmp, comments } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['png', side, side])
    assert.deepEqual([exif, xmp, comments], [undefined, undefined, undefined])
    for (const rest of [mark, '<script', '<?php', 'PK\x03']) assert.ok(!bytes.includes(rest))
  }
}

async function versionNow(): Promise<number | undefined> {
  const [row] = await world.database.query<{ avatar_version: number }>(
    'select avatar_version from user_account where id = $1',
    [mallory.user_id],
  )
  return row?.avatar_version
}

const statusOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/status`, 'utf8')
const kilobytes = (status: string, name: string) =>
  1_024 * Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? 0)

async function largestDecoder(): Promise<number> {
  const children = (await readFile(`/proc/${node.pid}/task/${node.pid}/children`, 'utf8')).trim().split(' ')
  const peaks = children.filter(Boolean).map(async (pid) => {
    const status = await statusOf(Number(pid)).catch(() => '')
    return kilobytes(status, 'VmHWM')
  })
  return Math.max(0, ...(await Promise.all(peaks)))
}

test('hostile files are refused or re-encoded without their hidden content', async (t) => {
  const images = await hostileImages()
  assert.ok(images.length >= 100)
  const good = images.find(({ outcome }) => outcome === 'accepted') as HostileImage
  await upload(good)
  const before = kilobytes(await statusOf(node.pid), 'VmRSS')
  let [slowest, largest] = [0, 0]

  for (const image of sampleInGate(images, 25)) {
    await t.test(`${image.title}: ${image.outcome}`, async () => {
      const version = await versionNow()
      const response = await upload(image)
      slowest = Math.max(slowest, response.took)
      largest = Math.max(largest, await largestDecoder())

      const refusal = refusals[image.outcome]
      if (response.status === 200 && !refusal) return fetchPicture(response.avatar_url ?? '')
      assert.equal(response.status, 400, JSON.stringify(response))
      if (image.outcome === 'either') assert.equal(response.code, 'BAD_IMAGE')
      else assert.deepEqual([response.code, response.msg], refusal)
      assert.equal(await versionNow(), version)
    })
  }

  const after = kilobytes(await statusOf(node.pid), 'VmRSS')
  t.diagnostic(
    `slowest ${Math.round(slowest)} ms, node from ${before >> 20} to ${after >> 20} MB, decoder ${largest >> 20} MB`,
  )
  assert.ok(slowest < maxMs, `${slowest} ms`)
  assert.ok(after - before < maxGrowth, `grew from ${before} to ${after}`)
  assert.ok(largest > 0 && largest < mostOfDecoder, `the decoder took ${largest}`)
})

test('after all hostile files the node still works, and only the last picture is stored', async () => {
  assert.equal((await fetch(`${node.url}/ready`)).status, 200)
  assert.ok(!/"level":(50|60)/.test(node.output()), node.output().slice(-3_000))
  const version = await versionNow()
  const directory = `avatars/${world.organization_id}/${mallory.user_id}`
  const expectedFiles = ['medium', 'small'].map((size) => `${directory}/${version}-${size}.png`)
  await eventually(async () => {
    // Other organizations are of other test files, which share the directory.
    const avatars = `${world.files_dir}/avatars/${world.organization_id}`
    const found = await readdir(avatars, { recursive: true, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`)
    return files.sort().join() === expectedFiles.map((file) => `${world.files_dir}/${file}`).join()
  })
})
