import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { type HostileImage, hostileImages, mark } from '@oxbow/testkit/hostile-images/all'
import { sampleInGate } from '@oxbow/testkit/size'
import sharp from 'sharp'
import { postImage } from './start-victim.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const mallory = await world.person('mallory')
const { url } = world.nodes.a
/** The gate uses a sample; that of the tests of avatars is another one. */
const images = sampleInGate(await hostileImages(), 25)

async function upload(name: string, image: HostileImage) {
  const response = await postImage(`${url}/api/v1/realm/emoji/${name}`, mallory, image)
  return { status: response.status, ...((await response.json()) as { code?: string; msg: string }) }
}

/** Asserts that the stored file is a picture that the server encoded, without any part of the upload. */
async function fetchPicture(path: string): Promise<void> {
  const response = await fetch(url + path)
  const bytes = Buffer.from(await response.arrayBuffer())
  const { format, width, height, pageHeight, exif, xmp, comments } = await sharp(bytes, {
    animated: true,
  }).metadata()
  const headers = ['content-type', 'x-content-type-options'].map((name) => response.headers.get(name))
  assert.deepEqual([response.status, ...headers], [200, `image/${format}`, 'nosniff'])
  assert.ok(path.endsWith(`.${format}`))
  assert.deepEqual([width, pageHeight ?? height], [64, 64])
  assert.deepEqual([exif, xmp, comments], [undefined, undefined, undefined])
  for (const rest of [mark, '<script', '<?php', 'PK\x03']) assert.ok(!bytes.includes(rest))
}

test('hostile files are refused, or re-encoded as an emoji without their hidden content', async (t) => {
  let accepted = 0
  for (const [index, image] of images.entries()) {
    const outcome = image.animatedOutcome ?? image.outcome
    await t.test(`${image.title}: ${outcome}`, async () => {
      const name = `emoji${index}`
      const { status, msg } = await upload(name, image)
      const { emoji } = await mallory.emoji.list()
      const made = Object.values(emoji).find((listed) => listed.name === name)
      assert.equal(made !== undefined, status === 200)
      if (outcome === 'accepted') assert.equal(status, 200, msg)
      if (made && (outcome === 'accepted' || outcome === 'either')) {
        accepted++
        return fetchPicture(made.source_url)
      }
      const text = outcome === 'no file' ? 'You must upload exactly one file.' : 'Image file upload failed.'
      assert.deepEqual([status, msg], [400, text])
    })
  }
  const stored = await readdir(join(world.files_dir, 'emoji', String(world.organization_id)))
  assert.equal(stored.length, accepted)
  assert.deepEqual(world.log.entries(50), [])
})
