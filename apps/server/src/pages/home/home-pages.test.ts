import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { fetchAt, request, signIn, startWorld } from '@oxbow/testkit'
import { translateTo } from '@oxbow/texts'
import { welcomePage } from './welcome-page.ts'

// A directory without a web client. The start page then explains how to build the client.
const world = await startWorld({ config: { web_dir: '/nowhere' } })
after(() => world[Symbol.asyncDispose]())

/** The `Accept` header of browsers. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const open = (path: string, accept = browser, more: object = {}) =>
  request(world.nodes.a.url, { path, headers: { accept }, ...more })

test('the start page redirects to the sign-in page and passes its URL as next', async () => {
  const { status, headers } = await open('/?a=b&c')
  assert.deepEqual([status, headers.get('location')], [302, '/login?next=%2F%3Fa%3Db%26c'])
  const ended = await open('/', browser, { headers: { accept: browser, cookie: `oxbow=${'x'.repeat(43)}` } })
  assert.deepEqual([ended.status, ended.headers.get('location')], [302, '/login?next=%2F'])
})

test('a trusted device whose session has ended gets the web client, if it is built, so that it deletes its data', async () => {
  const cookies = (trust: string) => `oxbow=${'x'.repeat(43)}; oxbow-account=7${trust}`
  const visit = async (url: string, cookie: string) => {
    const { status, text } = await request(url, { path: '/', headers: { accept: browser, cookie } })
    return [status, /src="\/assets\/index-/.test(text)]
  }
  await using built = await startWorld()

  assert.deepEqual(await visit(built.nodes.a.url, cookies('.trusted')), [200, true])
  for (const trust of ['', '.trusted.not'])
    assert.deepEqual(await visit(built.nodes.a.url, cookies(trust)), [302, false])
  assert.deepEqual(await visit(world.nodes.a.url, cookies('.trusted')), [302, false])
})

test('the start page of a signed-in user shows how to build the web client and links to the API reference', async () => {
  const iris = await world.person('iris')
  const { cookie } = await signIn(world, iris)
  const { status, headers, text } = await open('/', browser, { headers: { accept: browser, cookie } })

  assert.equal(status, 200)
  assert.match(String(headers.get('content-type')), /^text\/html/)
  assert.match(text, /<h1>Welcome to The Garden, Iris Gardener<\/h1>/)
  assert.match(text, /<code>npm run build<\/code>/)
  assert.match(text, /href="\/api\/docs"/)
  assert.match(text, /<form method="post" action="\/logout">/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(
    String(headers.get('content-security-policy')),
    /^default-src 'none'; style-src 'self'; img-src 'self'; /,
  )
})

test('the welcome page escapes names, and its command quotes the address for a shell', () => {
  const { content } = welcomePage(translateTo('en'), {
    organization: 'The Garden',
    full_name: 'Ida',
    delivery_email: "it's$(x)<b>@garden.example",
    origin: 'http://chat.example',
    mayInvite: false,
  })
  assert.ok(!content.text.includes('<b>'))
  const shown = content.text.replaceAll('&#39;', "'").replaceAll('&#60;', '<').replaceAll('&#62;', '>')
  assert.ok(shown.includes("'username=it'\\''s$(x)<b>@garden.example'"), shown)
})

test("browsers can install the web client as an app with the organization's name", async () => {
  const { status, headers, text } = await open('/app.webmanifest', '*/*')
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/manifest+json; charset=utf-8'])
  const manifest = JSON.parse(text)
  assert.equal(manifest.name, 'The Garden')
  assert.deepEqual([manifest.start_url, manifest.display], ['/', 'standalone'])
  const unknown = await fetchAt('tea.localhost')(`${world.nodes.a.url}/app.webmanifest`)
  assert.equal(unknown.status, 404)
})

test('the server has an icon at /favicon.ico, which browsers request by default', async () => {
  const { status, headers, text } = await open('/favicon.ico')
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/x-icon'])
  assert.ok(text.length > 1_000)
})

test('the style sheet is served under a name that changes with its content', async () => {
  const [, path = ''] = /href="(\/assets\/pages-[0-9a-f]{10}\.css)"/.exec((await open('/login')).text) ?? []
  const { status, headers, text } = await open(path)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/css; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.match(text, /color-scheme: light dark/)
})

test('an unknown path responds with a page to browsers and JSON to programs', async () => {
  const page = await open('/no/such/page')
  assert.equal(page.status, 404)
  assert.match(page.text, /<h1>There is nothing here<\/h1>/)
  assert.match(page.headers.get('vary') ?? '', /^accept,/)
  for (const accept of ['*/*', 'application/json', 'text/html, application/json']) {
    for (const path of ['/', '/no/such/page']) {
      const { status, body } = await open(path, accept)
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], `${path} ${accept}`)
    }
  }
})

test('HEAD returns a monitor that accepts anything the status and headers of the start page', async () => {
  for (const accept of ['*/*', browser]) {
    const { status, headers, text } = await open('/', accept, { method: 'HEAD' })
    assert.deepEqual([status, headers.get('location'), text], [302, '/login?next=%2F', ''], accept)
  }
  assert.equal((await open('/', 'application/json', { method: 'HEAD' })).status, 404)
})

test('a page that needs a session links to the sign-in page with its URL as next, unless the URL has an API key', async () => {
  const path = '/user_uploads/1/aa/bb/cup.png'
  const link = async (url: string) => /<a href="([^"]*)"/.exec((await open(url)).text)?.[1]
  assert.equal(await link(`${path}?a=b`), `/login?next=${encodeURIComponent(`${path}?a=b`)}`)
  assert.equal(await link(`${path}?api_key=${'x'.repeat(32)}`), '/login')
})

test('API paths respond with JSON even to browsers', async () => {
  for (const path of ['/api/v1/none', '/api', '/json/none', '/json', '/api/v1/users/me', '/api?x'])
    assert.equal((await open(path)).body.result, 'error', path)
  assert.equal((await open('/api/v1/server_settings')).body.result, 'success')
})

test('a wrong method outside the API responds with an error page and the Allow header', async () => {
  const { status, headers, text } = await open('/integrations', browser, { method: 'DELETE' })
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'])
  assert.match(text, /<h1>This does not work here<\/h1>/)
})

test('the start page of a host without an organization says that there is none', async () => {
  const response = await fetchAt('tea.localhost')(world.nodes.a.url, { headers: { accept: browser } })
  assert.equal(response.status, 404)
  assert.match(await response.text(), /There is no organization at this address/)
})

test('the root host without an organization links to the organization finder', async () => {
  await using other = await startWorld({
    organization: { name: 'Tea', subdomain: 'tea' },
    config: { mode: 'production' },
  })
  const { status, text } = await request(other.nodes.a.url, { path: '/', headers: { accept: browser } })
  assert.equal(status, 200)
  assert.match(text, /<h1>Team chat at 127\.0\.0\.1:\d+<\/h1>/)
  assert.match(text, /href="\/accounts\/go"/)
})

test('the organization finder at an IP address redirects to the sign-in page at the same IP address', async () => {
  const { url } = world.nodes.a
  const { status, headers } = await request(url, {
    method: 'POST',
    path: '/accounts/go',
    form: { organization: `localhost:${new URL(url).port}` },
    headers: { accept: browser, 'sec-fetch-site': 'same-origin' },
  })
  assert.deepEqual([status, headers.get('location')], [303, `${url}/login`])
})

test('the shell command on the start page prints the API key', async () => {
  const otto = await world.person('otto')
  const { cookie } = await signIn(world, otto)
  const { text } = await open('/', browser, { headers: { accept: browser, cookie } })
  const [, shown = ''] = /<pre><code>([^<]*)<\/code><\/pre>/.exec(text) ?? []
  const command = shown.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))

  const { stdout } = await run('bash', ['-c', command], `${otto.password}\n`)
  assert.equal(JSON.parse(stdout).api_key, otto.api_key)
})

/** Runs a program with this input. */
async function run(program: string, args: string[], input: string): Promise<{ stdout: string }> {
  const running = promisify(execFile)(program, args)
  running.child.stdin?.end(input)
  return running
}
