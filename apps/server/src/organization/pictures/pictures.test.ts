import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually, expectSameState, pngOf, type RawRequest, request, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import sharp from 'sharp'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner, organization_id: id } = world
const ada = await world.person('ada', 'administrator')
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, gus, robin }

const stockIcon = '/static/images/default-icon.png?version=0'
const stockLogo = '/static/images/default-icon.png?version=0'
const filesOf = (...images: Uint8Array[]) => images.map((bytes) => ({ name: 'x', bytes }))
const get = (path: string, options: Partial<RawRequest> = {}) =>
  request(world.nodes.b.url, { path, ...options })
const sizeOf = async (path: string) => {
  const response = await fetch(world.nodes.b.url + path)
  const { width, height, format } = await sharp(await response.arrayBuffer()).metadata()
  return [format, width, height]
}
const stored = () => readdir(join(world.files_dir, 'organizations', String(id))).then((names) => names.sort())

test('an uploaded icon is shown on every node at once and can be removed', async () => {
  const events = await expectSameState(world, everyone, () =>
    ada.organizationPictures.setIcon({ files: filesOf(pngOf(300, 200)) }),
  )

  const icon_url = `/user_avatars/${id}/realm/icon.png?version=2`
  assert.deepEqual(
    events.gus?.map(({ id: _, ...event }) => event),
    [{ type: 'realm', op: 'update_dict', property: 'icon', data: { icon_source: 'U', icon_url } }],
  )
  assert.deepEqual(await sizeOf(icon_url), ['png', 100, 100])
  assert.equal((await world.anonymous('b').server.settings()).realm_icon, icon_url)
  const { icon_url: again } = await owner
    .on('b')
    .organizationPictures.setIcon({ files: filesOf(pngOf(9, 9)) })
  assert.equal(again, `/user_avatars/${id}/realm/icon.png?version=3`)

  const cleared = await ada.organizationPictures.clearIcon()
  assert.deepEqual(cleared, { icon_url: stockIcon })
  const state = await gus.on('b').events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual([state.realm_icon_source, state.realm_icon_url], ['G', stockIcon])
})

test('day and night logos are separate and keep their proportions', async () => {
  const events = await expectSameState(world, everyone, async () => {
    await ada.organizationPictures.setLogo({ night: false, files: filesOf(pngOf(1600, 100)) })
    await ada.organizationPictures.setLogo({ night: true, files: filesOf(pngOf(60, 40)) })
  })

  const logo_url = `/user_avatars/${id}/realm/logo.png?version=2`
  const night_logo_url = `/user_avatars/${id}/realm/night_logo.png?version=2`
  assert.deepEqual(
    events.robin?.map(({ id: _, ...event }) => event),
    [
      { type: 'realm', op: 'update_dict', property: 'logo', data: { logo_source: 'U', logo_url } },
      {
        type: 'realm',
        op: 'update_dict',
        property: 'night_logo',
        data: { night_logo_source: 'U', night_logo_url },
      },
    ],
  )
  assert.deepEqual(await sizeOf(logo_url), ['png', 800, 50])
  assert.deepEqual(await sizeOf(night_logo_url), ['png', 60, 40])

  await expectSameState(world, everyone, () => owner.organizationPictures.clearLogo({ night: false }))
  const state = await iris.events.register({ fetch_event_types: ['realm'] })
  assert.deepEqual(
    [state.realm_logo_source, state.realm_logo_url, state.realm_night_logo_source],
    ['D', stockLogo, 'U'],
  )
  assert.equal((await get(stockLogo)).status, 200)
})

test('GET of a picture redirects to the current version and keeps the query', async () => {
  const credentials = gus
  const leadsTo = async (path: string, options: Partial<RawRequest> = { credentials }) => {
    const { status, headers } = await get(`/api/v1${path}`, options)
    return [status, headers.get('location')]
  }
  assert.deepEqual(await leadsTo('/realm/icon'), [302, stockIcon])
  assert.deepEqual(await leadsTo('/realm/icon?x=1&y=a%20b'), [302, `${stockIcon}&x=1&y=a+b`])
  assert.deepEqual(await leadsTo('/realm/logo?night=false'), [302, `${stockLogo}&night=false`])
  assert.deepEqual(await leadsTo('/realm/logo?night=true'), [
    302,
    `/user_avatars/${id}/realm/night_logo.png?version=2&night=true`,
  ])
  assert.deepEqual(await leadsTo(`/realm/icon?api_key=${gus.api_key}`, {}), [302, stockIcon])

  assert.equal((await get('/api/v1/realm/icon')).status, 401)
  const missing = { status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'night' }
  assert.deepEqual(await call(world, gus, 'GET /realm/logo'), refusal("Missing 'night' argument", missing))
  assert.deepEqual(
    await call(world, gus, 'GET /realm/logo', { night: '"x"' }),
    refusal('night is not a boolean'),
  )
})

test('the URL of an outdated version redirects to the current one, and unknown names get a 404', async () => {
  const directory = `/user_avatars/${id}/realm`
  for (const old of ['?version=1', '?version=77', '', '?version=../x']) {
    const { status, headers } = await get(`${directory}/night_logo.png${old}`)
    assert.deepEqual([status, headers.get('location')], [302, `${directory}/night_logo.png?version=2`])
  }
  assert.equal((await get(`${directory}/logo.png?version=2`)).headers.get('location'), stockLogo)
  const gone = [`${directory}/other.png`, `${directory}/..%2fx`, '/user_avatars/999999/realm/icon.png']
  for (const path of gone) assert.equal((await get(path)).status, 404, path)
  const { status, headers } = await get(`${directory}/night_logo.png?version=2`, {
    headers: { 'if-none-match': '"2"' },
  })
  assert.deepEqual([status, headers.get('cache-control')], [304, 'public, max-age=31536000, immutable'])
})

test('files of outdated versions are removed', async () => {
  await eventually(async () => (await stored()).join() === 'night_logo-2.png')
})

test('a refused upload leaves the picture unchanged', async () => {
  const before = await owner.events.register({ fetch_event_types: ['realm'] })
  const pictures = owner.organizationPictures
  const picture = pngOf(4, 4)
  await assert.rejects(pictures.setIcon({ files: [] }), refusal('You must upload exactly one icon.'))
  await assert.rejects(
    pictures.setIcon({ files: filesOf(picture, picture) }),
    refusal('You must upload exactly one icon.'),
  )
  await assert.rejects(
    pictures.setLogo({ night: true, files: [] }),
    refusal('You must upload exactly one logo.'),
  )
  const bad = refusal('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' })
  await assert.rejects(pictures.setIcon({ files: filesOf(Buffer.from('x')) }), bad)
  await assert.rejects(pictures.setLogo({ night: false, files: filesOf(picture.subarray(0, 40)) }), bad)
  await assert.rejects(
    pictures.setIcon({ files: filesOf(Buffer.alloc(5 * 1_048_576 + 1)) }),
    refusal('Uploaded file is larger than the allowed limit of 5 MiB'),
  )

  const {
    queue_id: _,
    last_event_id,
    ...after
  } = await owner.events.register({ fetch_event_types: ['realm'] })
  const { queue_id, last_event_id: then, ...state } = before
  assert.deepEqual(after, state)
})

test('concurrent uploads get separate versions, and the last one is shown', async () => {
  const colors = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
    [9, 8, 7],
  ] as const
  const responses = await Promise.all(
    colors.map((color, index) =>
      owner
        .on(index % 2 === 0 ? 'a' : 'b')
        .organizationPictures.setIcon({ files: filesOf(pngOf(5, 5, color)) }),
    ),
  )
  const versions = responses.map(({ icon_url }) => Number(icon_url.split('=')[1])).sort((a, b) => a - b)
  assert.deepEqual(versions, [5, 6, 7, 8])
  await eventually(async () => (await stored()).join() === 'icon-8.png,night_logo-2.png')
  assert.equal((await get(`/user_avatars/${id}/realm/icon.png?version=8`)).status, 200)
})
