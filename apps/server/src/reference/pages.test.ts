import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { request, startWorld, type World } from '@oxbow/testkit'
import { html } from '../platform/http/html.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

test('the reference names every endpoint and error text, and may load nothing', async () => {
  const { status, headers, text } = await request(world.nodes.a.url, { path: '/api/docs' })

  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  for (const { name, endpoint } of listEndpoints()) {
    assert.ok(text.includes(`id="${name}"`), name)
    for (const param of Object.keys(endpoint.params)) assert.ok(text.includes(`<code>${param}</code>`), param)
  }
  assert.ok(!/<script|src=|@import|url\(/.test(text))
})

test('the OpenAPI document is served to anyone', async () => {
  const { status, headers, body } = await request(world.nodes.b.url, { path: '/api/openapi.json' })
  assert.deepEqual([status, body.openapi], [200, '3.1.0'])
  assert.equal(headers.get('access-control-allow-origin'), '*')
})

test('a host that is none does not get into the page', async () => {
  const { text } = await request(world.nodes.a.url, {
    path: '/api/docs',
    headers: { host: '"><script>alert(1)</script>' },
  })
  assert.ok(!text.includes('<script>'))
})

test('whatever is put into html is escaped, but for html', () => {
  assert.equal(
    html`<p title="${'"><b>'}">${'<i>&'}${[html`<br>`, '</p>']}${false}${undefined}${0}</p>`.text,
    '<p title="&#34;&#62;&#60;b&#62;">&#60;i&#62;&#38;<br>&#60;/p&#62;0</p>',
  )
})
