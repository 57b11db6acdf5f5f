import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { request, signIn, startWorld } from '@oxbow/testkit'
import { readClientRelease } from './client-release.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { url } = world.nodes.a
const directory = process.env.OXBOW_WEB_DIR ?? ''
const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as {
  files: Record<string, { size: number; br?: number; gzip?: number }>
}
const script = Object.keys(manifest.files).find((path) => /^assets\/index-.*\.js$/.test(path)) ?? ''
const { cookie } = await signIn(world, await world.person('iris'))

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const openDocument = (headers: Record<string, string> = {}, method = 'GET') =>
  request(url, { method, path: '/', headers: { accept, cookie, ...headers } })

test('the start page of a signed-in person is the web client', async () => {
  const { status, headers, text } = await openDocument()
  assert.equal(status, 200)
  assert.equal(text, await readFile(join(directory, 'index.html'), 'utf8'))
  assert.equal(headers.get('cache-control'), 'no-cache')
  assert.match(headers.get('vary') ?? '', /cookie/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test("the client's document forbids inline scripts and other origins, and allows one Trusted Types policy", async () => {
  const { headers } = await openDocument()
  const policy = headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types oxbow',
  ])
    assert.ok(policy.split('; ').includes(part), `${part} in ${policy}`)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
})

test('a person without a session is redirected to the sign-in page, even if the client was not built', async () => {
  const { status, headers } = await openDocument({ cookie: '' })
  assert.deepEqual([status, headers.get('location')], [302, '/login?next=%2F'])
})

test('files are sent in the smallest encoding that the browser accepts', async () => {
  const { size, br, gzip } = manifest.files[script] ?? { size: 0 }
  const cases: [string, string | null, number | undefined][] = [
    ['gzip, deflate, br, zstd', 'br', br],
    ['gzip', 'gzip', gzip],
    ['br;q=0, gzip;q=0.5', 'gzip', gzip],
    ['identity', null, size],
  ]
  for (const [accepted, encoding, bytes] of cases) {
    const answer = await request(url, { path: `/${script}`, headers: { 'accept-encoding': accepted } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-encoding'), encoding, accepted)
    assert.equal(Number(answer.headers.get('content-length')), bytes, accepted)
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    assert.equal(answer.text.length, (await readFile(join(directory, script), 'utf8')).length)
  }
})

test('assets are cached forever, and conditional requests are answered with 304', async () => {
  const first = await request(url, { path: `/${script}` })
  assert.equal(first.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(first.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const etag = first.headers.get('etag') ?? ''
  const again = await request(url, { path: `/${script}`, headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  const document = await openDocument()
  const same = await openDocument({ 'if-none-match': document.headers.get('etag') ?? '' })
  assert.equal(same.status, 304)
  assert.match(same.headers.get('content-security-policy') ?? '', /trusted-types/)
})

test('HEAD returns the headers of GET without the content', async () => {
  for (const path of ['/', `/${script}`]) {
    const { status, headers, text } = await request(url, {
      method: 'HEAD',
      path,
      headers: { accept, cookie },
    })
    assert.deepEqual([status, text], [200, ''])
    assert.ok(Number(headers.get('content-length')) > 0)
  }
})

test('the list of files takes less than 2 MB of memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const measure = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = measure()
  const release = readClientRelease(directory)
  const growth = measure() - before
  assert.ok((release?.files.size ?? 0) > 3)
  assert.ok(growth < 2_000_000, `${growth} bytes`)
})

test('files that are not in the manifest cannot be read', async () => {
  for (const path of [
    '/assets/none.js',
    '/assets/..%2Fmanifest.json',
    '/assets/../manifest.json',
    '/assets/%2e%2e/index.html',
    `/${script}.br`,
    '/manifest.json',
    '/index.html',
    '/assets/',
    '/assets/constructor',
  ])
    assert.equal((await request(url, { path, headers: { accept } })).status, 404, path)
})
