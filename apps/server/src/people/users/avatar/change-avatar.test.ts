import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Client } from '@oxbow/sdk'
import { eventually, openQueue, type Person, pngOf, request, startWorld } from '@oxbow/testkit'
import sharp from 'sharp'
import { makePicture } from '../../../platform/images/make-picture.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const red = [250, 0, 0] as const
const blue = [0, 0, 250] as const

const upload = (client: Client, color: readonly [number, number, number] = red) =>
  client.users.setAvatar({ files: [{ name: 'me.png', bytes: pngOf(30, 20, color) }] })

/** Returns width, height and colour of the picture at a URL. */
async function fetchPicture(url: string, node: 'a' | 'b' = 'b'): Promise<unknown[]> {
  const response = await fetch(world.nodes[node].url + url)
  assert.equal(response.status, 200, url)
  const bytes = Buffer.from(await response.arrayBuffer())
  const { width, height, format } = await sharp(bytes).metadata()
  const { dominant } = await sharp(bytes).stats()
  return [format, width, height, dominant.r > 128 ? 'red' : dominant.b > 128 ? 'blue' : 'other']
}

const filesOf = async ({ user_id }: Person): Promise<string[]> => {
  const directory = `${world.files_dir}/avatars/${world.organization_id}/${user_id}`
  return (await readdir(directory).catch(() => [])).sort()
}

test('an uploaded avatar is shown in both sizes everywhere', async () => {
  const [iris, otto] = await world.people('iris', 'otto')
  const garden = await world.stream('garden', { members: [iris, otto] })
  const sendMessage = () =>
    iris.messages.send({ type: 'stream', to: garden.stream_id, topic: 'roses', content: 'Pruned.' })
  const queue = await openQueue(otto, { event_types: ['message', 'realm_user'] }, 'b')
  await sendMessage()

  const { avatar_url } = await upload(iris)
  await sendMessage()
  await world.settled()

  assert.match(avatar_url, /^\/user_avatars\/\d+\/\d+-[0-9a-f]{40}\.png\?v=2$/)
  const medium = avatar_url.replace('.png', '-medium.png')
  assert.deepEqual(await fetchPicture(avatar_url), ['png', 100, 100, 'red'])
  assert.deepEqual(await fetchPicture(medium), ['png', 500, 500, 'red'])

  const person = { user_id: iris.user_id, avatar_source: 'U', avatar_url, avatar_url_medium: medium }
  const [before, change, then] = await queue.take(3)
  assert.ok(before?.type === 'message' && before.message.avatar_url !== avatar_url)
  const update = { type: 'realm_user', op: 'update', person: { ...person, avatar_version: 2 } }
  assert.deepEqual(change, { id: change?.id, ...update })
  assert.ok(then?.type === 'message' && then.message.avatar_url === avatar_url)

  const computing = { client_external_avatar: true }
  const { user } = await otto.on('b').users.get({ user_id: iris.user_id, ...computing })
  assert.deepEqual([user.avatar_url, user.avatar_version], [avatar_url, 2])
  const { members } = await otto.users.list(computing)
  assert.equal(members.find(({ user_id }) => user_id === iris.user_id)?.avatar_url, avatar_url)
  assert.equal((await iris.on('b').users.me()).avatar_url, avatar_url)
  const page = { anchor: 'newest', num_before: 2, num_after: 0, ...computing }
  const { messages } = await otto.on('b').messages.list(page)
  assert.deepEqual(
    messages.map((message) => message.avatar_url),
    [avatar_url, avatar_url],
  )
  const state = await iris.events.register({ fetch_event_types: ['realm_user'], ...computing })
  assert.deepEqual(
    [state.avatar_source, state.avatar_url, state.avatar_url_medium],
    ['U', avatar_url, medium],
  )
})

test('a new avatar has a new URL, and older files are deleted', async () => {
  const rosa = await world.person('rosa')
  const first = await upload(rosa, red)
  for (let round = 0; round < 4; round++) await upload(rosa.on(round % 2 ? 'a' : 'b'), red)
  const { avatar_url } = await upload(rosa, blue)

  assert.notEqual(avatar_url, first.avatar_url)
  assert.match(avatar_url, /\?v=7$/)
  assert.deepEqual(await fetchPicture(avatar_url), ['png', 100, 100, 'blue'])
  await eventually(async () => (await filesOf(rosa)).join() === '7-medium.png,7-small.png')
  // Old URLs redirect to the current picture.
  assert.deepEqual(await fetchPicture(first.avatar_url), ['png', 100, 100, 'blue'])
})

test('a removed avatar is deleted and replaced by the initials', async () => {
  const fern = await world.person('fern')
  const uploaded = await upload(fern)
  const { avatar_url } = await fern.users.clearAvatar()

  assert.match(avatar_url, /^\/user_avatars\/\d+\/\d+-[0-9a-f]{40}\.svg\?v=3$/)
  const state = await fern.events.register({ fetch_event_types: ['realm_user'] })
  assert.equal(state.avatar_source, 'G')
  await eventually(async () => (await filesOf(fern)).length === 0)
  const old = await request(world.nodes.a.url, { path: uploaded.avatar_url })
  assert.deepEqual([old.status, old.headers.get('location')], [302, avatar_url])
  assert.match((await fern.users.clearAvatar()).avatar_url, /v=4$/)
})

test('concurrent avatar uploads get separate versions, and the last one is shown', async () => {
  const gus = await world.person('gus', 'guest')
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => upload(gus.on(index % 2 ? 'a' : 'b'), index % 2 ? red : blue)),
  )

  const versions = responses.map(({ avatar_url }) => Number(avatar_url.split('v=')[1]))
  assert.deepEqual(
    versions.toSorted((a, b) => a - b),
    [2, 3, 4, 5, 6, 7],
  )
  const last = versions.indexOf(7)
  const color = last % 2 ? 'red' : 'blue'
  assert.deepEqual(await fetchPicture(responses[last]?.avatar_url ?? ''), ['png', 100, 100, color])
  await eventually(async () => (await filesOf(gus)).join() === '7-medium.png,7-small.png')
})

test('the next avatar change overwrites the files of a failed change', async () => {
  const hugo = await world.person('hugo')
  const orphans = ['small', 'medium'].map(
    (size) => `avatars/${world.organization_id}/${hugo.user_id}/2-${size}.png`,
  )
  const { files } = world.nodes.a.app
  for (const key of orphans) await files.put(key, pngOf(1, 1))
  await hugo.users.clearAvatar()
  await eventually(async () => (await filesOf(hugo)).length === 0)

  for (const key of orphans) await files.put(key.replace('/2-', '/3-'), pngOf(1, 1))
  assert.deepEqual(await fetchPicture((await upload(hugo, blue)).avatar_url), ['png', 100, 100, 'blue'])
})

test('a bot can upload an avatar', async () => {
  const robot = await world.bot('robot', world.owner)
  assert.deepEqual(await fetchPicture((await upload(robot)).avatar_url), ['png', 100, 100, 'red'])
})

test('an avatar upload that is retried with its idempotency key is executed once', async () => {
  const mia = await world.person('mia')
  const call = (files: Record<string, Uint8Array>, node: 'a' | 'b') =>
    request(world.nodes[node].url, {
      method: 'POST',
      path: '/api/v1/users/me/avatar',
      credentials: mia,
      headers: { 'idempotency-key': 'the-same' },
      files,
    })
  const first = await call({ 'a.png': pngOf(9, 9, red) }, 'a')
  const again = await call({ 'a.png': pngOf(9, 9, red) }, 'b')
  const another = await call({ 'a.png': pngOf(9, 9, blue) }, 'b')

  assert.deepEqual([first.status, again.body], [200, first.body])
  assert.deepEqual([another.status, another.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  assert.equal((await mia.users.me()).avatar_version, 2)
})

const postAvatar = (params: object) =>
  request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/users/me/avatar',
    credentials: world.owner,
    ...params,
  })
const count = 'You must upload exactly one avatar.'
const tooLarge = 'Uploaded file is larger than the allowed limit of 5 MiB'
const undecodable = 'Could not decode image; did you upload an image file?'
const mebibytes = (size: number, more = 0) => ({ 'a.png': new Uint8Array(size * 1_048_576 + more) })
const refusals: [name: string, makeParams: () => object, msg: string, code: string][] = [
  ['no body', () => ({}), count, 'BAD_REQUEST'],
  ['no file', () => ({ multipart: { note: 'x' } }), count, 'BAD_REQUEST'],
  ['a file that is none', () => ({ form: { file: 'x' } }), count, 'BAD_REQUEST'],
  ['two files', () => ({ files: { 'a.png': pngOf(1, 1), 'b.png': pngOf(1, 1) } }), count, 'BAD_REQUEST'],
  [
    'two large files',
    () => ({ files: { 'a.png': mebibytes(5)['a.png'], 'b.png': mebibytes(5)['a.png'] } }),
    count,
    'BAD_REQUEST',
  ],
  ['a byte too many', () => ({ files: mebibytes(5, 1) }), tooLarge, 'BAD_REQUEST'],
  ['far too many', () => ({ files: mebibytes(60) }), tooLarge, 'BAD_REQUEST'],
  ['as many as are allowed, of nothing', () => ({ files: mebibytes(5) }), undecodable, 'BAD_IMAGE'],
  ['words', () => ({ files: { 'a.png': Buffer.from('a.png') } }), undecodable, 'BAD_IMAGE'],
  [
    'more pixels than anyone needs',
    async () => ({
      files: {
        'a.png': await sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#f00' } })
          .png()
          .toBuffer(),
      },
    }),
    'Image size exceeds limit.',
    'BAD_IMAGE',
  ],
]
for (const [name, makeParams, msg, code] of refusals) {
  test(`an avatar upload is refused: ${name}`, async () => {
    const { status, body } = await postAvatar(await makeParams())
    const { ignored_parameters_unsupported: _, ...refused } = body
    assert.deepEqual([status, refused], [400, { result: 'error', msg, code }])
  })
}

test('administrators can change avatars while changes are disabled', async () => {
  const [otis, ada] = [await world.person('otis'), await world.person('ada', 'administrator')]
  const disabled = { errorName: 'AVATAR_CHANGES_DISABLED' }
  await world.database.query('update organization set avatar_changes_disabled = true')
  try {
    await assert.rejects(upload(otis), disabled)
    await assert.rejects(otis.users.clearAvatar(), disabled)
    // The permission is checked after the number of files, and before the picture is decoded.
    await assert.rejects(otis.users.setAvatar({ files: [{ name: 'x', bytes: new Uint8Array(1) }] }), disabled)
    await assert.rejects(otis.users.setAvatar({ files: [] }), { errorName: 'AVATAR_COUNT' })
    assert.match((await upload(ada)).avatar_url, /v=2$/)
  } finally {
    await world.database.query('update organization set avatar_changes_disabled = false')
  }
  assert.match((await upload(otis)).avatar_url, /v=2$/)
})

test('the server setting disables avatar changes in all organizations', async () => {
  await using strict = await startWorld({ config: { avatar_changes_disabled: true } })
  const otis = await strict.person('otis')

  await assert.rejects(upload(otis), { errorName: 'AVATAR_CHANGES_DISABLED' })
  assert.match((await upload(strict.owner)).avatar_url, /v=2$/)
  const state = await otis.events.register({ fetch_event_types: ['realm'] })
  assert.equal(state.server_avatar_changes_disabled, true)
})

test('an avatar upload is refused with a retry time when too many are queued', async () => {
  const big = await sharp({ create: { width: 1_500, height: 1_500, channels: 3, background: '#f00' } })
    .png({ progressive: true })
    .toBuffer()
  let isOver = false
  // Each asks again as soon as its picture is finished, so that the queue stays full.
  const crowd = Array.from({ length: 21 }, async () => {
    while (!isOver) await makePicture(big, { width: 9, height: 9, fit: 'cover' })
  })
  const response = await postAvatar({ files: { 'a.png': pngOf(1, 1) } })
  isOver = true
  await Promise.allSettled(crowd)

  assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '5'])
  assert.equal((await postAvatar({ files: { 'a.png': pngOf(1, 1) } })).status, 200)
})
