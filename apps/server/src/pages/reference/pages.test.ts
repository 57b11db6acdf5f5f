import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listEndpoints } from '@oxbow/contract'
import { cases } from '@oxbow/markdown/cases'
import { request, startWorld, type World } from '@oxbow/testkit'
import { html } from '../../platform/html.ts'

let world: World
before(async () => {
  world = await startWorld()
})
after(() => world[Symbol.asyncDispose]())

test('the reference lists every endpoint and error text, and loads only its style sheet', async () => {
  const { status, headers, text } = await request(world.nodes.a.url, { path: '/api/docs' })

  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'; /)
  for (const { name, endpoint } of listEndpoints()) {
    assert.ok(text.includes(`id="${name}"`), name)
    for (const param of Object.keys(endpoint.params)) assert.ok(text.includes(`<code>${param}</code>`), param)
  }
  assert.ok(!/<script|<style|style=|src=|@import|url\(/.test(text))
})

test('the OpenAPI document is served without credentials', async () => {
  const { status, headers, body } = await request(world.nodes.b.url, { path: '/api/openapi.json' })
  assert.deepEqual([status, body.openapi], [200, '3.1.0'])
  assert.equal(headers.get('access-control-allow-origin'), '*')
})

test('the formatting page shows every test case of the renderer', async () => {
  const { url } = world.nodes.a
  const { status, text, headers } = await request(url, { path: '/api/markdown' })

  assert.equal(status, 200)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*img-src 'self'/)
  for (const { group, input } of cases) {
    assert.ok(text.includes(html`<h2>${group}</h2>`.text), group)
    assert.ok(text.includes(html`<pre>${input.toWellFormed()}</pre>`.text), input)
  }
  const pictures = [...text.matchAll(/<img src="([^"]+)"/g)].map((match) => match[1] ?? '')
  assert.equal(pictures.length, new Set(cases.map(({ group }) => group)).size)
  for (const path of pictures) {
    const picture = await request(url, { path })
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'], path)
  }
})

test('an invalid host header does not appear in the page', async () => {
  const { text } = await request(world.nodes.a.url, {
    path: '/api/docs',
    headers: { host: '"><script>alert(1)</script>' },
  })
  assert.ok(!text.includes('<script>'))
})

test('the html tag escapes texts and keeps nested html', () => {
  assert.equal(
    html`<p title="${'"><b>'}">${'<i>&'}${[html`<br>`, '</p>']}${false}${undefined}${0}</p>`.text,
    '<p title="&#34;&#62;&#60;b&#62;">&#60;i&#62;&#38;<br>&#60;/p&#62;0</p>',
  )
})
