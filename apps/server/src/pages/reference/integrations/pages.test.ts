import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listServices, loadService } from '@oxbow/integrations'
import { request, startWorld } from '@oxbow/testkit'
import { html } from '../../../platform/html.ts'
import { renderGuide } from './render-guide.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const page = (path: string, headers: Record<string, string> = {}) =>
  request(world.nodes.a.url, { path, headers })

test('the integrations page lists every integration in its category', async () => {
  const { status, headers, text } = await page('/integrations')

  assert.equal(status, 200)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.ok(!text.includes('<script'))
  for (const name of await listServices()) {
    const service = await loadService(name)
    assert.ok(text.includes(`href="/integrations/${name}"`), name)
    assert.ok(text.includes(html`<b>${service?.title}</b>`.text), name)
    assert.ok(text.includes(html`>${service?.category}</h2>`.text), name)
  }
})

test('the integrations page can be searched, even with special characters', async () => {
  const found = async (q: string) => (await page(`/integrations?${new URLSearchParams({ q })}`)).text
  const hub = await found('GIThub')
  assert.ok(hub.includes('/integrations/github"') && !hub.includes('/integrations/helloworld"'))
  assert.match(await found('no such thing'), /Nothing here is called <b>no such thing<\/b>/)
  const hostile = await found('"><script>alert(1)</script>\ud83c\0')
  assert.ok(!hostile.includes('<script>'))
})

test('every guide page shows the webhook URL with the requested host', async () => {
  for (const name of await listServices()) {
    const { status, headers, text } = await page(`/integrations/${name}`)
    const service = await loadService(name)
    assert.equal(status, 200, name)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'.*script-src 'sha256-[\w+/]+=*'/,
    )
    assert.ok(text.includes(html`<h2>${service?.title}</h2>`.text), name)
    const key = service?.authentication === 'basic' ? '' : 'api_key=API_KEY&#38;'
    const url = `${world.nodes.a.url}/api/v1/external/${name}?${key}stream=STREAM`
    assert.ok(text.includes(`<span class="url">${url}</span>`), `${name} does not show its URL`)
    assert.ok(!/OxbowWebhookUrl|OxbowGuideBlock|\{url\}/.test(text), name)
  }
})

test('unknown integrations have no guide page', async () => {
  for (const name of ['nonesuch', '..%2fgithub', '__proto__', '%00'])
    assert.equal((await page(`/integrations/${name}`)).status, 404, name)
})

test('an invalid host header does not appear in the page', async () => {
  const { text } = await page('/integrations/github', { host: '"><script>alert(1)</script>' })
  assert.ok(!text.includes('<script>alert'))
})

test('code blocks in list items are rendered, and wrapped lines are joined', async () => {
  const text = [
    'A first line',
    'and `its` rest.',
    '',
    '1. Step:',
    '',
    '   ```',
    '   curl {url} \\',
    '     -d x',
    '   ```',
    '',
    '2. Next',
    '   step.',
    '',
    '| a | b |',
    '|---|---|',
    '| `x\\|y` | z |',
  ].join('\n')
  const guide = {
    name: 'made up',
    title: '',
    category: 'Automation',
    summary: '',
    text,
    usesBasicAuth: false,
    eventNames: [],
  } as const
  const made = (await renderGuide(world.nodes.a.app, guide, 'https://x.example/?a&b')).text

  assert.match(made, /<p>A first line and <code>its<\/code> rest\.<\/p>/)
  assert.match(made, /<pre>.*curl <span class="url">https:\/\/x\.example\/\?a&#38;b<\/span> \\\n {2}-d x/s)
  assert.match(made, /Next step\./)
  assert.match(made, /<code>x\|y<\/code>/)
  assert.equal(made.match(/<ol>/g)?.length, 1)
})

test('GET /integrations returns the guides of the pages as JSON', async () => {
  const iris = await world.person('iris')
  const { integrations } = await iris.webhooks.listIntegrations()

  assert.deepEqual(integrations.map(({ name }) => name).sort(), await listServices())
  for (const { name, title, auth, guide_html, url, event_names } of integrations) {
    const service = await loadService(name)
    assert.equal(title, service?.title)
    assert.equal(auth, service?.authentication === 'basic' ? 'basic' : 'url')
    assert.deepEqual(event_names, service?.events ?? [])
    assert.ok(url.startsWith(`${world.nodes.a.url}/api/v1/external/${name}?`))
    assert.ok((await page(`/integrations/${name}`)).text.includes(guide_html), name)
  }
})
