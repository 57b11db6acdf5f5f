import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { basic } from '@oxbow/testkit'
import { type HostileImage, hostileImages, mark } from '@oxbow/testkit/hostile-images/all'
import { sampleInGate } from '@oxbow/testkit/size'
import sharp from 'sharp'
import { postImage, startVictim } from './start-victim.ts'

const maxMs = 25_000
const maxGrowth = 150_000_000

const victim = await startVictim()
after(() => victim[Symbol.asyncDispose]())
const { world, node, mallory } = victim

async function upload(image: HostileImage) {
  const response = await postImage(`${node.url}/api/v1/user_uploads`, mallory, image)
  return { status: response.status, ...((await response.json()) as { uri?: string; msg: string }) }
}

/** Asserts that the thumbnail is a small picture that the server encoded, without any part of the upload. */
async function check(response: Response): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const { format, width, height, pages = 1, pageHeight, exif, xmp, icc } = await sharp(bytes).metadata()
  assert.deepEqual([format, exif, xmp, icc], ['webp', undefined, undefined, undefined])
  assert.ok(width <= 840 && (pageHeight ?? height) <= 560 && pages <= 150)
  assert.ok(bytes.length <= 4_194_304)
  for (const rest of [mark, '<script', '<?php', 'PK\x03']) assert.ok(!bytes.includes(rest))
}

const memory = async () =>
  1_024 * Number(/VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${node.pid}/status`, 'utf8'))?.[1])

test('hostile files get no thumbnails, or thumbnails without their hidden content', async (t) => {
  const images = await hostileImages()
  const idle = await memory()
  let slowest = 0
  let drawn = 0
  for (const image of sampleInGate(images, 25)) {
    await t.test(`${image.title}: ${image.outcome}`, async () => {
      const { status, uri, msg } = await upload(image)
      if (image.outcome === 'no file') return assert.equal(status, 400)
      assert.equal(status, 200, msg)
      const thumbnail = `${node.url}${uri?.replace('/user_uploads/', '/user_uploads/thumbnail/')}`
      for (const format of ['840x560.webp', '840x560-anim.webp']) {
        const started = performance.now()
        const response = await fetch(`${thumbnail}/${format}`, { headers: { authorization: basic(mallory) } })
        slowest = Math.max(slowest, performance.now() - started)
        if (image.outcome === 'accepted') assert.equal(response.status, 200)
        else if (image.outcome !== 'either') assert.equal(response.status, 404)
        assert.ok([200, 404].includes(response.status), `${response.status}`)
        if (response.status === 404) await response.arrayBuffer()
        else {
          drawn++
          await check(response)
        }
      }
    })
  }

  const growth = (await memory()) - idle
  t.diagnostic(`drew ${drawn}, slowest ${Math.round(slowest)} ms, grew by ${growth >> 20} MB`)
  assert.ok(drawn > 0 && slowest < maxMs, `${slowest} ms`)
  assert.ok(growth < maxGrowth, `grew by ${growth}`)
})

test('after all hostile files the node still works, and no picture is processed again', async () => {
  assert.equal((await fetch(`${node.url}/ready`)).status, 200)
  assert.ok(!/"level":(50|60)/.test(node.output()), node.output().slice(-3_000))
  const unsettled = await world.database.query(
    `select id from upload
     where organization_id = $1 and content_type in ('image/gif', 'image/jpeg', 'image/png', 'image/webp')
       and thumbnail_formats is null and thumbnail_attempts = 0`,
    [world.organization_id],
  )
  assert.deepEqual(unsettled, [])
})
