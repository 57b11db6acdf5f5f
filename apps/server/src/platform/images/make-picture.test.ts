import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { toRefusal } from './draw.ts'
import { makePicture, NotAnImage, type PictureSpec, picturesPid } from './make-picture.ts'

const small: PictureSpec = { width: 100, height: 100, fit: 'cover' }
const emoji: PictureSpec = { width: 64, height: 64, fit: 'contain', animated: true }

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } })

/** Makes an image whose left half is red and right half is blue. */
const halves = () =>
  plain(200, 100, '#f00').composite([
    { input: { create: { width: 100, height: 100, channels: 4, background: '#00f' } }, left: 100, top: 0 },
  ])

/** Joins frames of these colors, of which each is encoded once. */
async function moving(colors: string[]) {
  const frames = new Map(colors.map((color) => [color, plain(40, 20, color).png().toBuffer()]))
  return sharp(await Promise.all(colors.map((color) => frames.get(color) as Promise<Buffer>)), {
    join: { animated: true },
  })
}

async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const start = (y * info.width + x) * info.channels
  return [...data.subarray(start, start + info.channels)]
}

const isNear = (actual: number[], expected: number[]) =>
  assert.ok(
    actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 12),
    `${actual} is not ${expected}`,
  )

for (const format of ['png', 'jpeg', 'gif', 'webp'] as const) {
  test(`a ${format} becomes a PNG of the requested size, cropped to its center`, async () => {
    const picture = await makePicture(await halves().toFormat(format).toBuffer(), small)

    assert.equal(picture.type, 'png')
    const { format: kind, width, height } = await sharp(picture.bytes).metadata()
    assert.deepEqual([kind, width, height], ['png', 100, 100])
    isNear(await colorAt(picture.bytes, 5, 50), [255, 0, 0, 255])
    isNear(await colorAt(picture.bytes, 95, 50), [0, 0, 255, 255])
  })
}

test('EXIF orientation is applied, and all other metadata is dropped', async () => {
  const exif = { IFD0: { Copyright: 'where the photographer lives', Software: 'secret' } }
  // Rotated by 90 degrees: the left side becomes the top.
  const rotated = await halves().jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer()
  assert.ok(rotated.includes('Exif'))

  const picture = await makePicture(rotated, { ...small, height: 200 })

  isNear(await colorAt(picture.bytes, 50, 5), [255, 0, 0, 255])
  isNear(await colorAt(picture.bytes, 50, 195), [0, 0, 255, 255])
  const { exif: kept, icc, xmp, iptc, orientation } = await sharp(picture.bytes).metadata()
  assert.deepEqual(
    [kept, icc, xmp, iptc, orientation],
    Array.from({ length: 5 }, () => undefined),
  )
  assert.ok(!Buffer.from(picture.bytes).includes('secret'))
})

test('fit contain adds a transparent background to an image that is not square', async () => {
  const { bytes } = await makePicture(await plain(200, 100, '#0f0').png().toBuffer(), emoji)
  isNear(await colorAt(bytes, 32, 32), [0, 255, 0, 255])
  isNear(await colorAt(bytes, 32, 2), [0, 0, 0, 0])
})

for (const format of ['gif', 'webp'] as const) {
  test(`a ${format} keeps its animation if requested`, async () => {
    const original = await (await moving(['#f00', '#0f0', '#00f'])).toFormat(format).toBuffer()

    const picture = await makePicture(original, emoji)
    const still = await makePicture(original, small)

    const { width, height, pages } = await sharp(picture.bytes).metadata()
    assert.deepEqual([picture.type, width, height, pages], [format, 64, 64, 3])
    assert.equal(still.type, 'png')
    isNear(await colorAt(still.bytes, 50, 50), [255, 0, 0, 255])
  })
}

test('an image with a single frame becomes a PNG', async () => {
  assert.equal((await makePicture(await plain(9, 9, '#f00').gif().toBuffer(), emoji)).type, 'png')
})

const refused: [name: string, bytes: () => Promise<Uint8Array> | Uint8Array, reason: NotAnImage['reason']][] =
  [
    ['an empty file', () => new Uint8Array(), 'unreadable'],
    ['plain text', () => Buffer.from('no picture at all'), 'unreadable'],
    [
      'an SVG drawing',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'unreadable',
    ],
    ['a TIFF image', () => plain(9, 9, '#f00').tiff().toBuffer(), 'unreadable'],
    ['an AVIF image', () => plain(9, 9, '#f00').avif().toBuffer(), 'unreadable'],
    [
      'a truncated PNG',
      async () => (await halves().png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
      'unreadable',
    ],
    ['too many pixels', () => plain(5_001, 5_000, '#f00').png().toBuffer(), 'too large'],
  ]
for (const [name, bytes, reason] of refused) {
  test(`an unusable image is refused: ${name}`, async () => {
    await assert.rejects(makePicture(await bytes(), small), { name: 'NotAnImage', reason })
  })
}

test('an animation with too many frames is refused', async () => {
  const colors = Array.from({ length: 501 }, (_, index) => (index % 2 === 0 ? '#f00' : '#00f'))
  const long = await (await moving(colors)).gif().toBuffer()
  await assert.rejects(makePicture(long, emoji), new NotAnImage('too large'))
  assert.equal((await makePicture(long, small)).type, 'png')
})

test('decoding an image that timed out may be retried, unlike one that is too large', async () => {
  const slow = plain(4_000, 4_000, '#f00').blur(300).timeout({ seconds: 1 }).png().toBuffer()
  const reason = await slow.then(() => assert.fail('the picture was drawn in time'), toRefusal)

  assert.equal(reason, 'too slow')
  assert.equal(new NotAnImage(reason).isCertain, false)
  assert.equal(new NotAnImage('too large').isCertain, true)
})

test('a crash of the decoder fails only one picture', async () => {
  const good = await halves().png().toBuffer()
  await makePicture(good, small)
  const slow = makePicture(await plain(4_990, 4_990, '#f00').png({ progressive: true }).toBuffer(), small)
  const next = makePicture(good, small)
  process.kill(picturesPid() as number, 'SIGKILL')

  await assert.rejects(slow, { name: 'NotAnImage', reason: 'unreadable' })
  assert.equal((await next).type, 'png')
})

test('the decoder runs in another process without the environment of the node', async () => {
  await makePicture(await halves().png().toBuffer(), small)
  assert.notEqual(picturesPid(), process.pid)
  const variables = readFileSync(`/proc/${picturesPid()}/environ`, 'utf8').split('\0')
  assert.ok(variables.every((variable) => variable === '' || variable.startsWith('NODE_CHANNEL_')))
})
