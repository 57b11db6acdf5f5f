import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, test } from 'node:test'
import {
  basic,
  eventually,
  expectSameState,
  fetchAt,
  hostOf,
  type Person,
  pngOf,
  startWorld,
} from '@oxbow/testkit'
import { sendPrivately } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { fetchFile, statusOf, upload } from '@oxbow/testkit/calls/uploads'
import sharp from 'sharp'
import { checkFileStore } from '../../../operators/files.ts'
import type { UploadRow } from '../../../platform/database/tables.ts'
import { makeThumbnails } from '../../../platform/images/make-picture.ts'
import { QueueFullError } from '../../../platform/threads/fair-queue.ts'
import { storeThumbnails } from './draw-thumbnails.ts'

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
await setOrganizationRules(world, 'allow_message_deleting = true')
const { app } = world.nodes.a

const still = '840x560.webp'
const moving = '840x560-anim.webp'
const thumbnailOf = (uri: string, format = still) =>
  `${uri.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
const keyOf = (uri: string, format = '') =>
  `uploads/${uri.split('/').slice(2, 5).join('/')}${format && `.${format}`}`
const plain = (width: number, height: number, background = '#123456') =>
  sharp({ create: { width, height, channels: 3, background } })
const animation = async (count: number, width = 60, height = 40) => {
  const frames = Array.from({ length: count }, (_, index) =>
    plain(width, height, index % 2 === 0 ? '#f00' : '#00f')
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
}

async function fetchPicture(person: Person, path: string, node: 'a' | 'b' = 'b') {
  const response = await fetch(world.nodes[node].url + path, { headers: { authorization: basic(person) } })
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, bytes.toString())
  return { bytes, headers: response.headers, ...(await sharp(bytes).metadata()) }
}
const rowOf = async (uri: string) => {
  const [row] = await world.database.query<UploadRow>('select * from upload where path_id = $1', [
    decodeURI(uri.slice('/user_uploads/'.length)),
  ])
  return row
}
const isDrawn = (uri: string) => eventually(async () => (await rowOf(uri))?.thumbnail_formats ?? false)

test('the thumbnail of a photograph is small, upright and without metadata', async () => {
  const photo = await plain(2_400, 1_200)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const uri = await upload(iris, 'photo.jpg', photo)

  const { bytes, headers, format, width, height, exif, xmp, icc, orientation } = await fetchPicture(
    iris,
    thumbnailOf(uri),
  )

  assert.deepEqual([format, width, height], ['webp', 280, 560])
  assert.deepEqual([exif, xmp, icc, orientation], [undefined, undefined, undefined, undefined])
  assert.ok(!bytes.includes('SECRET') && bytes.length < 20_000)
  const names = [
    'content-type',
    'content-disposition',
    'x-content-type-options',
    'content-security-policy',
    'cross-origin-resource-policy',
    'cache-control',
    'referrer-policy',
  ]
  assert.deepEqual(
    names.map((name) => headers.get(name)),
    [
      'image/webp',
      'inline',
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
      'same-origin',
      'private, immutable',
      'no-referrer',
    ],
  )
  const etag = headers.get('etag') ?? ''
  const again = await fetchFile(world, iris, thumbnailOf(uri), { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
})

test('thumbnails are drawn after the upload without a request, and small pictures keep their size', async () => {
  const uri = await upload(iris, 'rose.png', await plain(30, 20).png().toBuffer())
  assert.deepEqual(await isDrawn(uri), [still])

  assert.ok(await app.files.stat(keyOf(uri, still)))
  for (const format of [still, moving]) {
    const { width, height } = await fetchPicture(iris, thumbnailOf(uri, format))
    assert.deepEqual([width, height], [30, 20])
  }
})

test('an animated picture has an animated and a still thumbnail, and long animations are shortened', async () => {
  const short = await upload(iris, 'wave.gif', await animation(5))
  const long = await upload(iris, 'long.gif', await animation(200))
  const pagesOf = async (uri: string, format: string) => {
    const { pages = 1, width, pageHeight, height } = await fetchPicture(iris, thumbnailOf(uri, format))
    return [pages, width, pageHeight ?? height]
  }

  assert.deepEqual(await pagesOf(short, moving), [5, 60, 40])
  assert.deepEqual(await pagesOf(short, still), [1, 60, 40])
  assert.deepEqual(await pagesOf(long, moving), [150, 60, 40])
  const { rendered } = await iris.messages.render({ content: `[wave](${short})` })
  assert.ok(rendered.includes('<img data-animated="true" data-original-content-type="image/gif" '))
})

test('an animation that could not be drawn in time is drawn by a later request', async () => {
  const uri = await upload(iris, 'wave.gif', await animation(5))
  await isDrawn(uri)
  await app.files.remove(keyOf(uri, moving))
  await storeThumbnails(app, iris.user_id, (await rowOf(uri)) as UploadRow, async (bytes) => {
    const { moving: _late, ...drawn } = await makeThumbnails(bytes)
    return { ...drawn, isMovingLate: true }
  })
  const state = async () => {
    const row = await rowOf(uri)
    return [row?.thumbnail_formats, row?.thumbnail_attempts]
  }
  assert.deepEqual(await state(), [[still], 1])

  const early = await fetchPicture(iris, thumbnailOf(uri, moving))
  assert.deepEqual([early.pages ?? 1, early.headers.get('cache-control')], [1, 'private, max-age=300'])
  await eventually(async () => (await state())[1] === 0)
  const late = await fetchPicture(iris, thumbnailOf(uri, moving))
  assert.deepEqual([late.pages, late.headers.get('cache-control')], [5, 'private, immutable'])
})

test('an animation that is late three times remains a still picture', async () => {
  const uri = await upload(iris, 'wave.gif', await animation(5))
  await isDrawn(uri)
  await world.database.query(
    'update upload set thumbnail_formats = $2, thumbnail_attempts = 3 where path_id = $1',
    [uri.slice('/user_uploads/'.length), [still]],
  )
  const { pages = 1, headers } = await fetchPicture(iris, thumbnailOf(uri, moving))
  assert.deepEqual([pages, headers.get('cache-control')], [1, 'private, immutable'])
})

test('a missing thumbnail is generated on demand', async () => {
  const uri = await upload(iris, 'rose.png', pngOf(40, 20))
  await isDrawn(uri)
  const before = (await fetchPicture(iris, thumbnailOf(uri))).bytes

  await app.files.remove(keyOf(uri, still))
  assert.deepEqual((await fetchPicture(iris, thumbnailOf(uri))).bytes, before)

  await app.files.remove(keyOf(uri, still))
  const forget = 'update upload set thumbnail_formats = null, width = null, height = null where path_id = $1'
  await world.database.query(forget, [uri.slice('/user_uploads/'.length)])
  const requests = Array.from({ length: 8 }, () => fetchPicture(iris, thumbnailOf(uri)))
  for (const { bytes } of await Promise.all(requests)) assert.deepEqual(bytes, before)
  const row = await rowOf(uri)
  assert.deepEqual([row?.width, row?.height, row?.thumbnail_formats], [40, 20, [still]])
})

test('files that cannot be decoded have no thumbnail, and no further attempt is made', async () => {
  const broken = await upload(iris, 'broken.png', (await plain(300, 200).png().toBuffer()).subarray(0, 60))
  for (let attempt = 0; attempt < 2; attempt++)
    assert.equal(await statusOf(world, iris, thumbnailOf(broken)), 404)
  const row = await rowOf(broken)
  assert.deepEqual([row?.thumbnail_attempts, row?.thumbnail_formats], [3, null])
  assert.equal(await statusOf(world, iris, broken), 200)

  const notes = await upload(iris, 'notes.png', 'no picture')
  const rose = await upload(iris, 'rose.png', pngOf(4, 4))
  const paths = [
    thumbnailOf(notes),
    thumbnailOf(rose, '1x1.webp'),
    thumbnailOf(rose, '..%2fx'),
    thumbnailOf(`${rose}x`),
    rose.replace('/user_uploads/', '/user_uploads/thumbnail/'),
    '/user_uploads/thumbnail/1/x',
    '/user_uploads/thumbnail/1/%00',
  ]
  for (const path of paths) {
    const { status, text } = await fetchFile(world, iris, path)
    assert.deepEqual([status, text], [404, '<p>File not found.</p>'], path)
  }
})

test('a picture whose decoder fails is tried at most three times, and a success resets the count', async () => {
  const uri = await upload(iris, 'rose.png', pngOf(6, 6))
  await isDrawn(uri)
  const setAttempts = (attempts: number) =>
    world.database.query(
      'update upload set thumbnail_formats = null, thumbnail_attempts = $2 where path_id = $1',
      [uri.slice('/user_uploads/'.length), attempts],
    )

  await setAttempts(3)
  assert.equal(await statusOf(world, iris, thumbnailOf(uri)), 404)
  await setAttempts(2)
  assert.equal(await statusOf(world, iris, thumbnailOf(uri)), 200)
  assert.equal((await rowOf(uri))?.thumbnail_attempts, 0)
})

test('a thumbnail is served only to users who may read the original', async () => {
  const gus = await world.person('gus', 'guest')
  const bot = await world.bot('helper', iris)
  const uri = await upload(iris, 'plan.png', pngOf(50, 40))
  await isDrawn(uri)
  const hill = await world.addOrganization('hill')
  const everyone = { iris, otto, gus, bot, owner: world.owner }
  const compare = async () => {
    const readers: string[] = []
    for (const [name, person] of Object.entries(everyone)) {
      const expected = await statusOf(world, person, uri)
      for (const format of [still, moving])
        assert.equal(await statusOf(world, person, thumbnailOf(uri, format)), expected, name)
      if (expected === 200) readers.push(name)
    }
    assert.equal(await statusOf(world, undefined, thumbnailOf(uri)), 401)
    const foreign = await fetchAt(hostOf('hill'))(
      `${world.nodes.a.url}${thumbnailOf(uri)}?api_key=${hill.owner.api_key}`,
    )
    assert.equal(foreign.status, 404)
    return readers
  }

  assert.deepEqual(await compare(), ['iris'])
  const id = await sendPrivately(iris, [gus], `[plan](${uri})`)
  assert.deepEqual(await compare(), ['iris', 'gus'])
  const vault = await world.stream('vault', { members: [iris, otto], by: iris, invite_only: true })
  await iris.messages.send({ type: 'stream', to: vault.stream_id, topic: 'x', content: `[plan](${uri})` })
  assert.deepEqual(await compare(), ['iris', 'otto', 'gus'])
  await iris.messages.remove({ message_id: id })
  assert.deepEqual(await compare(), ['iris', 'otto'])
  const withKey = await fetchFile(world, undefined, thumbnailOf(uri), { query: { api_key: otto.api_key } })
  assert.equal(withKey.status, 200)
})

test('thumbnails are removed with their original, even while they are being drawn', async (t) => {
  const uri = await upload(iris, 'wave.gif', await animation(5))
  await isDrawn(uri)
  const row = (await rowOf(uri)) as UploadRow
  const id = await sendPrivately(iris, [otto], `[wave](${uri})`)
  await iris.messages.remove({ message_id: id })

  assert.equal(await statusOf(world, iris, thumbnailOf(uri)), 404)
  const stored = () =>
    readdirSync(world.files_dir, { recursive: true }).filter((name) => String(name).includes(keyOf(uri)))
  await eventually(() => stored().length === 0)
  assert.deepEqual(await storeThumbnails(app, iris.user_id, row), [])

  // The row is deleted while the picture is drawn, because thumbnails are stored only after the deletion.
  const [drawn, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const put = app.files.put.bind(app.files)
  t.mock.method(app.files, 'put', async (...args: Parameters<typeof put>) => {
    if (args[0].endsWith('.webp')) {
      drawn.resolve()
      await removed.promise
    }
    return put(...args)
  })
  const other = await upload(otto, 'wave.gif', await animation(5))
  const { attachments } = await otto.uploads.list()
  const drawing = storeThumbnails(app, otto.user_id, (await rowOf(other)) as UploadRow)
  await drawn.promise
  await otto.uploads
    .remove({ attachment_id: attachments.at(-1)?.id as never })
    .finally(() => removed.resolve())
  assert.deepEqual(await drawing, [])
  await eventually(() => !readdirSync(world.files_dir, { recursive: true }).join().includes(keyOf(other)))
})

test('the file check accepts thumbnails and does not report missing ones', async () => {
  const uri = await upload(iris, 'wave.gif', await animation(3))
  await isDrawn(uri)
  await world.database.query('update upload set thumbnail_attempts = 3')
  const check = () =>
    checkFileStore(app, async ({ missing, unreferenced }) => [
      await Array.fromAsync(missing),
      await Array.fromAsync(unreferenced, ({ key }) => key),
    ])
  const { utimesSync } = await import('node:fs')
  const age = (key: string) => utimesSync(`${world.files_dir}/${key}`, 0, 0)
  for (const format of ['', still, moving]) age(keyOf(uri, format))
  assert.deepEqual(await check(), [[], []])

  await app.files.put(`${keyOf(uri)}.1x1.webp`, Buffer.from('x'))
  age(`${keyOf(uri)}.1x1.webp`)
  await app.files.remove(keyOf(uri, still))
  assert.deepEqual(await check(), [[], [`${keyOf(uri)}.1x1.webp`]])
})

test("the number of an account's waiting pictures is limited, and other accounts are not affected", async () => {
  const gone = { ...((await rowOf(await upload(iris, 'a.png', pngOf(9, 9)))) as UploadRow) }
  const ask = (account: Person, count: number) =>
    Array.from({ length: count }, (_, index) =>
      storeThumbnails(app, account.user_id, { ...gone, id: (-account.user_id * 1_000 - index) as never }),
    )
  const outcomes = await Promise.allSettled([...ask(iris, 100), ...ask(otto, 1)])

  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.ok(refused.length >= 60 && refused.every(({ reason }) => reason instanceof QueueFullError))
  assert.equal(outcomes.at(-1)?.status, 'fulfilled')
})

test('a picture that two accounts wait for is drawn when the queue reaches the first account', async () => {
  const row = (await rowOf(await upload(iris, 'a.png', pngOf(9, 9)))) as UploadRow
  const drawn: string[] = []
  const ask = async (name: string, account: Person, index: number) => {
    await storeThumbnails(app, account.user_id, { ...row, id: (-1 - index) as never })
    drawn.push(name)
  }
  const irisAsks = Array.from({ length: 20 }, (_, index) => ask(`iris ${index}`, iris, index))

  await Promise.all([...irisAsks, ask('otto', otto, 19)])

  assert.ok(drawn.indexOf('otto') <= 4, drawn.join())
  assert.ok(drawn.indexOf('iris 19') <= 4, drawn.join())
})

test('drawing thumbnails changes neither the state nor the list of attachments', async () => {
  const uri = await upload(iris, 'photo.png', pngOf(30, 20))
  await isDrawn(uri)
  await app.files.remove(keyOf(uri, still))
  const before = await iris.uploads.list()
  await expectSameState(world, { iris, otto }, async () => {
    await fetchPicture(iris, thumbnailOf(uri))
  })
  assert.deepEqual(await iris.uploads.list(), before)
  const state = await iris.events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual(
    state.server_thumbnail_formats?.map(({ name, animated }) => [name, animated]),
    [
      [moving, true],
      [still, false],
    ],
  )
})

test('drawing and serving thumbnails logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})
