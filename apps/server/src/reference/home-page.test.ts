import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fetchAt, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

/** The `Accept` header of browsers. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const open = (path: string, accept = browser, more: object = {}) =>
  request(world.nodes.a.url, { path, headers: { accept }, ...more })

test('the start page names the organization and links to the reference', async () => {
  const { status, headers, text } = await open('/')

  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^text\/html/)
  assert.match(text, /<h1>The Garden<\/h1>/)
  assert.match(text, /href="\/api\/docs"/)
  assert.match(String(headers.get('content-security-policy')), /default-src 'none'/)
})

test('an unknown path answers a page to browsers and JSON to programs', async () => {
  const page = await open('/no/such/page')
  assert.equal(page.status, 404)
  assert.match(page.text, /<h1>There is nothing here<\/h1>/)
  assert.equal(page.headers.get('vary'), 'accept')
  for (const accept of ['*/*', 'application/json', 'text/html, application/json']) {
    for (const path of ['/', '/no/such/page']) {
      const { status, body } = await open(path, accept)
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], `${path} ${accept}`)
    }
  }
})

test('API paths answer with JSON even to browsers', async () => {
  for (const path of ['/api/v1/none', '/api', '/json/none', '/json', '/api/v1/users/me', '/api?x'])
    assert.equal((await open(path)).body.result, 'error', path)
  assert.equal((await open('/api/v1/server_settings')).body.result, 'success')
})

test('a wrong method outside the API answers a page with the same headers', async () => {
  const { status, headers, text } = await open('/integrations', browser, { method: 'DELETE' })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  assert.match(text, /<h1>This does not work here<\/h1>/)
})

test('the start page of an address without an organization says so', async () => {
  const answer = await fetchAt('tea.localhost')(world.nodes.a.url, { headers: { accept: browser } })
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /There is no organization at this address/)
})
