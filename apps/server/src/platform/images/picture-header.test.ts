import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileImages } from '@oxbow/testkit/hostile-images/all'
import { sampleInGate } from '@oxbow/testkit/size'
import sharp, { type Sharp } from 'sharp'
import { pictureHeadLength, readPictureHeader } from './picture-header.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#123' } })

for (const [title, make] of [
  ['PNG', (picture: Sharp) => picture.png()],
  ['interlaced PNG', (picture: Sharp) => picture.png({ progressive: true })],
  ['JPEG', (picture: Sharp) => picture.jpeg()],
  ['progressive JPEG', (picture: Sharp) => picture.jpeg({ progressive: true })],
  ['GIF', (picture: Sharp) => picture.gif()],
  ['lossy WebP', (picture: Sharp) => picture.removeAlpha().webp()],
  ['lossless WebP', (picture: Sharp) => picture.webp({ lossless: true })],
  ['WebP with metadata', (picture: Sharp) => picture.withMetadata().webp()],
] as const) {
  test(`the size of a ${title} is read from its header`, async () => {
    for (const [width, height] of [
      [1, 1],
      [640, 333],
      [3_000, 2],
    ] as const)
      assert.deepEqual(readPictureHeader(await make(plain(width, height)).toBuffer()), {
        width,
        height,
        isAnimated: title === 'GIF' ? null : false,
      })
  })
}

for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`the size of a JPEG with orientation ${orientation} is that of the picture as it is shown`, async () => {
    const bytes = await plain(60, 40).jpeg().withMetadata({ orientation }).toBuffer()
    const { autoOrient } = await sharp(bytes).metadata()
    assert.deepEqual(readPictureHeader(bytes), { ...autoOrient, isAnimated: false })
  })
}

for (const format of ['gif', 'webp'] as const) {
  test(`the header of an animated ${format} shows that it is animated`, async () => {
    const frames = ['#f00', '#0f0'].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    )
    const moving = await sharp(await Promise.all(frames), { join: { animated: true } })
      .toFormat(format, { loop: 0 })
      .toBuffer()
    assert.deepEqual(readPictureHeader(moving), { width: 20, height: 10, isAnimated: true })
  })
}

test('a file that is a WebP except for its first four bytes is not a picture', async () => {
  const webp = await plain(20, 10).webp().toBuffer()
  webp.write('RIFX', 'latin1')
  assert.equal(readPictureHeader(webp), undefined)
})

test('long metadata before the size of a JPEG is skipped, and the size is unknown if the header is longer than the head', async () => {
  const jpeg = await plain(60, 40).jpeg().toBuffer()
  const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), Buffer.alloc(0xffff - 2)])
  const padded = (count: number) =>
    Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => segment), jpeg.subarray(2)])

  assert.deepEqual(readPictureHeader(padded(3).subarray(0, pictureHeadLength)), {
    width: 60,
    height: 40,
    isAnimated: false,
  })
  assert.equal(readPictureHeader(padded(5).subarray(0, pictureHeadLength)), undefined)
})

test('the size of truncated or hostile files is unknown or plausible, and reading it never throws', async () => {
  const jpeg = await plain(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  for (let length = 0; length < 200; length++) readPictureHeader(jpeg.subarray(0, length))
  assert.equal(readPictureHeader(Buffer.from('words')), undefined)
  for (const { make, title } of sampleInGate(await hostileImages(), 80)) {
    const size = readPictureHeader(Buffer.from(await make()).subarray(0, pictureHeadLength))
    for (const side of [size?.width ?? 1, size?.height ?? 1]) assert.ok(side >= 1 && side <= 65_535, title)
  }
})
