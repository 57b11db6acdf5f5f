import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType, type OrganizationId } from '@oxbow/contract'
import { basic, fetchAt, hostOf, pngOf, type RawRequest, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'
import { fetchFile, upload } from '@oxbow/testkit/calls/uploads'
import { makeTemporaryLink } from './temporary-links.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { organization_id: id } = world
const [iris, otto] = await world.people('iris', 'otto')
const uri = await upload(iris, 'Plan für Beete.txt', '0123456789')
const [, , , ...rest] = uri.split('/')
const filename = rest.join('/')

const get = (path: string, options: Partial<RawRequest> = {}) => fetchFile(world, iris, path, options)
const headersOf = (headers: Headers, ...names: string[]) => names.map((name) => headers.get(name))
const notFound = { status: 404, text: '<p>File not found.</p>' }
const forbidden = { status: 403, text: '<p>You are not authorized to view this file.</p>' }

test('for a missing or forbidden file browsers get a page with a link, and programs get a single HTML paragraph', async () => {
  const otto = await world.person('otto-of-pages')
  for (const [path, reason] of [
    [`${uri}x`, /There is no such file/],
    [uri, /You cannot open this file/],
  ] as const) {
    const shown = await fetchFile(world, otto, path, { headers: { accept: 'text/html,*/*;q=0.8' } })
    assert.match(shown.text, reason)
    assert.match(shown.text, /<a href="\/">/)
    const bare = await fetchFile(world, otto, path)
    assert.deepEqual({ status: bare.status, text: bare.text }, path === uri ? forbidden : notFound)
    assert.equal(shown.status, bare.status)
  }
})

test('an upload is served with headers that prevent browsers from running it', async () => {
  const { status, text, headers } = await get(uri)

  assert.deepEqual([status, text], [200, '0123456789'])
  assert.deepEqual(
    headersOf(
      headers,
      'content-type',
      'content-length',
      'content-disposition',
      'x-content-type-options',
      'content-security-policy',
      'cross-origin-resource-policy',
      'cache-control',
      'accept-ranges',
      'referrer-policy',
    ),
    [
      'text/plain',
      '10',
      `attachment; filename="Plan fur Beete.txt"; filename*=UTF-8''Plan%20f%C3%BCr%20Beete.txt`,
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
      'same-origin',
      'private, immutable',
      'bytes',
      'no-referrer',
    ],
  )
})

const served: [name: string, content: Uint8Array | string, type: string, disposition: string][] = [
  ['a.png', pngOf(2, 2), 'image/png', 'inline'],
  ['a.pdf', '%PDF-1.4', 'application/pdf', 'inline'],
  ['a.gif', 'GIF89a', 'image/gif', 'inline'],
  ['a.html', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
  ['a.svg', '<svg/>', 'application/octet-stream', 'attachment'],
  ['fake.png', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
  ['a.mp4', '\0\0\0\x18ftypmp42', 'video/mp4', 'attachment'],
]
for (const [name, content, type, disposition] of served) {
  test(`${name} is served as ${type}, ${disposition}`, async () => {
    const { headers } = await get(await upload(iris, name, content))
    assert.deepEqual(headersOf(headers, 'content-type', 'content-disposition'), [
      type,
      `${disposition}; filename="${name}"`,
    ])
  })
}

test('Range requests get parts of an upload, and If-Range is respected', async () => {
  const etag = (await get(uri)).headers.get('etag') ?? ''
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const response = await get(uri, { headers, method })
    return [response.status, response.text, ...headersOf(response.headers, 'content-range', 'content-length')]
  }

  assert.deepEqual(await ask({ range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10', '3'])
  assert.deepEqual(await ask({ range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10', '3'])
  assert.deepEqual(await ask({ range: 'bytes=8-99' }), [206, '89', 'bytes 8-9/10', '2'])
  assert.deepEqual(await ask({ range: 'bytes=10-' }), [416, '', 'bytes */10', '0'])
  assert.deepEqual(await ask({ range: 'bytes=0-1,4-5' }), [200, '0123456789', null, '10'])
  assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': etag }), [206, '234', 'bytes 2-4/10', '3'])
  assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': '"x"' }), [200, '0123456789', null, '10'])
  assert.deepEqual(await ask({}, 'HEAD'), [200, '', null, '10'])
  assert.deepEqual(await ask({ range: 'bytes=2-4' }, 'HEAD'), [206, '', 'bytes 2-4/10', '3'])
  assert.deepEqual((await ask({ 'if-none-match': etag })).slice(0, 2), [304, ''])
})

const media: [name: string, start: string, type: string][] = [
  ['talk.wav', 'RIFF\x24\x20\0\0WAVEfmt ', 'audio/wav'],
  ['talk.mp3', 'ID3\x04\0', 'audio/mpeg'],
  ['talk.ogg', 'OggS\0\x02', 'audio/ogg'],
  ['film.mp4', '\0\0\0\x18ftypmp42', 'video/mp4'],
  ['film.webm', '\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'video/webm'],
  ['film.mov', '\0\0\0\x14ftypqt  ', 'video/quicktime'],
]
for (const [name, start, type] of media) {
  test(`${name} is served with the type ${type} in the parts that players request`, async () => {
    const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(100_000, name)])
    const path = await upload(iris, name, bytes)
    const ask = async (range: string) => {
      const response = await fetch(world.nodes.b.url + path, {
        headers: { authorization: basic(iris), range },
      })
      const [accepts, contentType] = headersOf(response.headers, 'accept-ranges', 'content-type')
      assert.deepEqual([response.status, accepts, contentType], [206, 'bytes', type])
      return Buffer.from(await response.arrayBuffer())
    }

    assert.deepEqual(await ask('bytes=0-'), bytes)
    assert.deepEqual(await ask('bytes=65536-'), bytes.subarray(65_536))
    assert.deepEqual(await ask('bytes=0-1'), bytes.subarray(0, 2))
    assert.deepEqual(await ask('bytes=-500'), bytes.subarray(-500))
    const listed = (await iris.uploads.list()).attachments.find(({ path_id }) => path.endsWith(path_id))
    assert.deepEqual([listed?.name, listed?.content_type, listed?.size], [name, type, bytes.length])
  })
}

test("unknown files and other users' files are refused with HTML, or with JSON if requested", async () => {
  const unknown = [
    '/user_uploads/1/x',
    `/user_uploads/${id}/aa/${'x'.repeat(24)}/a.txt`,
    uri.replace(`/${id}/`, '/unk/'),
    uri.replace(`/${id}/`, `/${id + 1}/`),
    `${uri}x`,
    '/user_uploads/1/%00',
    '/user_uploads/1/..%2f..%2fsecret',
  ]
  for (const path of unknown) {
    const { status, text, headers } = await get(path)
    assert.deepEqual({ status, text }, notFound, path)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  }
  for (const path of [uri, `/api/v1${uri}`]) {
    const { status, text } = await fetchFile(world, otto, path)
    assert.deepEqual({ status, text }, forbidden, path)
  }
  assert.equal((await get('/api/v1/user_uploads/1/x')).text, notFound.text)
  const asJson = await get('/user_uploads/1/x', { headers: { accept: 'application/json' } })
  assert.deepEqual(
    { status: asJson.status, body: asJson.body },
    refusal('File not found.', { status: 404, code: 'NOT_FOUND' }),
  )
  await assert.rejects(otto.uploads.getTemporaryLink({ realm_id_str: String(id), filename }), {
    errorName: 'UPLOAD_FORBIDDEN',
  })
})

test('credentials are accepted in the header or as api_key in the URL', async () => {
  const gone = await world.person('gone')
  await world.owner.users.deactivate({ user_id: gone.user_id })
  const hook = await world.bot('hook', iris, BotType.incomingWebhook)
  const hill = await world.addOrganization('hill')
  for (const path of [uri, `/api/v1${uri}`]) {
    const ask = async (api_key?: string, person?: typeof iris) => {
      const query = api_key ? { query: { api_key } } : {}
      const { status, body } = await fetchFile(world, person, path, query)
      return status === 200 ? 200 : [status, body.code]
    }
    assert.equal(await ask(iris.api_key), 200)
    assert.deepEqual(await ask(), [401, 'INVALID_API_KEY'])
    assert.deepEqual(await ask('short'), [401, 'INVALID_API_KEY'])
    assert.deepEqual(await ask('x'.repeat(32)), [401, 'INVALID_API_KEY'])
    assert.deepEqual(await ask(gone.api_key), [401, 'USER_DEACTIVATED'])
    assert.deepEqual(await ask(hook.api_key), [401, 'UNAUTHORIZED'])
    assert.deepEqual(await ask(hill.owner.api_key), [401, 'INVALID_SUBDOMAIN'])
    // The header takes precedence.
    assert.deepEqual(await ask(iris.api_key, { ...iris, api_key: 'y'.repeat(32) }), [401, 'INVALID_API_KEY'])
  }
  const elsewhere = await fetchAt(hostOf('hill'))(`${world.nodes.a.url}${uri}?api_key=${hill.owner.api_key}`)
  assert.equal(elsewhere.status, 404)
  assert.ok(!world.log.text.includes(iris.api_key))
})

test('a temporary link works without credentials for 60 seconds', async () => {
  const { url } = await iris.uploads.getTemporaryLink({ realm_id_str: String(id), filename })
  const link = await iris.uploads.findTemporaryLink({ realm_id_str: String(id), filename })

  for (const path of [url, link.url]) {
    const { status, text, headers } = await fetchFile(world, undefined, path)
    assert.deepEqual([status, text], [200, '0123456789'])
    assert.equal(headers.get('cache-control'), 'private, immutable')
  }
  assert.match(url, /^\/user_uploads\/temporary\/[\w.-]+\/Plan-f%C3%BCr-Beete\.txt$/)

  const { secrets } = world.nodes.a.app
  const account = { organization_id: id as OrganizationId, user_id: iris.user_id }
  const [own] = (await iris.uploads.list()).attachments
  assert.ok(own)
  const after = (seconds: number) => makeTemporaryLink(secrets, account, own, Date.now() - seconds * 1_000)
  assert.equal((await fetchFile(world, undefined, after(40))).status, 200)
  const invalid = refusal('Invalid token')
  const token = url.split('/')[3] ?? ''
  const invalidLinks = [
    after(60),
    after(61),
    url.replace(token, `${token}x`),
    url.replace(token, token.slice(0, -1)),
    url.replace(token, `x${token}`),
    url.replace(token, token.split('.')[0] ?? ''),
    url.replace(token, 'x'.repeat(500)),
    '/user_uploads/temporary/x',
    url.replace(token, 'x'),
  ]
  for (const path of invalidLinks) {
    const { status, body } = await fetchFile(world, undefined, path)
    assert.deepEqual({ status, body }, invalid, path)
  }
  const renamed = await fetchFile(world, undefined, url.replace('Plan', 'Other'))
  assert.deepEqual({ status: renamed.status, body: renamed.body }, refusal('Invalid filename'))
})

test('a temporary link stops working when its account loses access', async () => {
  const pat = await world.person('pat')
  const own = await upload(pat)
  const [, , , ...path] = own.split('/')
  const { url } = await pat.uploads.getTemporaryLink({ realm_id_str: String(id), filename: path.join('/') })
  const before = (await fetchFile(world, undefined, url)).status
  const elsewhere = await fetchAt(hostOf('hill'))(`${world.nodes.a.url}${url}`)
  await world.owner.users.deactivate({ user_id: pat.user_id })
  const afterwards = await fetchFile(world, undefined, url)

  assert.deepEqual([before, elsewhere.status, afterwards.status], [200, 400, 400])
})

test('a file with a long name is served at its path and through a temporary link', async () => {
  const long = await upload(iris, `${'ä'.repeat(300)}.txt`)
  const [, , , ...path] = long.split('/')
  const { url } = await iris.uploads.getTemporaryLink({ realm_id_str: String(id), filename: path.join('/') })
  assert.deepEqual([(await get(long)).status, (await fetchFile(world, undefined, url)).status], [200, 200])
})

test('a file that is missing in the file store gets a 404', async () => {
  const lost = await upload(iris)
  const key = `uploads${lost.slice('/user_uploads'.length).split('/').slice(0, 4).join('/')}`
  await world.nodes.a.app.files.remove(key)
  assert.equal((await get(lost)).status, 404)
})

test('downloading uploaded files logs no server errors', () => {
  assert.deepEqual(world.log.entries(50), [])
})

test("downloads have a separate limit of ten times the account's request limit", async () => {
  await using limited = await startWorld({ config: { rate_limit_per_minute: 2 } })
  const [greedy, modest] = await limited.people('greedy', 'modest')
  const own = await upload(greedy)
  const ask = async (person: typeof greedy) => (await fetchFile(limited, person, own)).status

  const statuses = []
  for (let count = 0; count < 21; count++) statuses.push(await ask(greedy))

  assert.deepEqual(statuses, [...Array<number>(20).fill(200), 429])
  assert.equal(await ask(modest), 403)
  assert.equal((await greedy.users.me()).user_id, greedy.user_id)
})
