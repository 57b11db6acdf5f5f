import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import type { Event, MessageId } from '@oxbow/contract'
import { startNode } from '@oxbow/server'
import {
  eventually,
  fetchAt,
  openQueue,
  type Person,
  patientLimits,
  pngOf,
  signIn,
  startDnsServer,
  startWorld,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import sharp from 'sharp'
import { cachedPictureBytes } from '../src/messages/external-pictures/load-picture.ts'
import { signPicture } from '../src/messages/external-pictures/picture-paths.ts'
import { startWatchedBrowser } from './hostile-files/watched-browser.ts'

// Responses of a web server that stands for hosts on the Internet, by path. Nodes may fetch from its address.
const pictures = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>()
const visits: IncomingMessage[] = []
const host = createServer((request, response) => {
  visits.push(request)
  const [path = ''] = (request.url ?? '').split('?')
  const respond = pictures.get(path)
  if (respond) respond(response, request)
  else response.writeHead(200, { 'content-type': 'image/png' }).end(rose)
})
await new Promise<void>((resolve) => host.listen(0, '127.0.1.1', resolve))
const { port } = host.address() as AddressInfo
const dns = await startDnsServer((name) => {
  if (name === 'inside.example') return ['10.0.0.1']
  return name.endsWith('.invalid') ? [] : ['127.0.1.1']
})
const world = await startWorld({
  resolveHost: dns.resolveHost,
  config: { outward_allowed_networks: ['127.0.1.0/24'], image_proxy_cache_mib: 1 },
})
after(async () => {
  await world[Symbol.asyncDispose]()
  host.closeAllConnections()
  host.close()
  await dns[Symbol.asyncDispose]()
})
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
const { app } = world.nodes.a
const organization_id = world.organization_id as never

const rose = pngOf(60, 40)
const picture = (path: string) => `http://pictures.example:${port}${path}`
const pathOf = (url: string) => signPicture(app.secrets, organization_id, url)
const load = (path: string, init: RequestInit = {}, node: 'a' | 'b' = 'a') =>
  fetch(world.nodes[node].url + path, { redirect: 'manual', ...init })
const serve = (path: string, bytes: Uint8Array | string, type = 'image/png', status = 200) => {
  pictures.set(path, (response) => response.writeHead(status, { 'content-type': type }).end(bytes))
  return picture(path)
}
const send = async (content: string, from: Person = iris, topic = 'roses') =>
  (await from.messages.send({ type: 'stream', to: garden.name, topic, content })).id as MessageId

beforeEach(() => {
  visits.length = 0
})

/** Asserts that HTML shows only pictures of this organization, and returns their paths. */
function listSources(html: unknown): string[] {
  const text = JSON.stringify(html)
  assert.doesNotMatch(text, /(src=\\"|url\()https?:/i)
  return [...text.matchAll(/src=\\"([^"\\]+)/g)].map(([, source = '']) => source)
}

test('pictures of other hosts are shown through the organization wherever a message is read', async () => {
  const url = picture('/a.png?b=1&c=2')
  const expected = [pathOf(url)]
  const queue = await openQueue(otto, { apply_markdown: true })
  const content = `late frost ${url}`
  const message_id = await send(content)
  const search = [{ operator: 'search', operand: 'frost' }] as never

  const read = async () => {
    const around = { anchor: String(message_id), num_before: 0, num_after: 0 }
    const { messages } = await otto.messages.list({ ...around, narrow: search })
    assert.deepEqual(listSources(messages[0]?.content), expected)
    assert.deepEqual(listSources(messages[0]?.match_content), expected)
    const { messages: matched } = await otto.messages.matchesNarrow({ msg_ids: [message_id], narrow: search })
    assert.deepEqual(listSources(matched), expected)
    const { message_history } = await otto.messages.history({ message_id })
    assert.ok(listSources(message_history).every((source) => expected.includes(source)))
    listSources(await otto.on('b').messages.list(around))
  }
  await read()
  assert.deepEqual(listSources((await otto.messages.render({ content })).rendered), expected)
  const [sent] = (await queue.take(1)) as Extract<Event, { type: 'message' }>[]
  assert.deepEqual(listSources(sent?.message.content), expected)

  // The row has the form in which a node of the previous release stored it.
  await world.database.query(
    `update message set rendered_content = replace(rendered_content, $2, $3)
      where organization_id = $4 and id = $1`,
    [message_id, expected[0], url.replaceAll('&', '&amp;'), organization_id],
  )
  await read()
  await iris.messages.edit({ message_id, content: `no more late frost ${picture('/b.png')}` })
  const events = await queue.take(1)
  assert.deepEqual(listSources(events), [expected[0], pathOf(picture('/b.png'))])
  const { message_history } = await otto.messages.history({ message_id })
  assert.ok(listSources(message_history).length > 2)
  assert.equal(visits.length, 0)
})

test('a picture is re-encoded and served with headers that make it harmless, on every node', async () => {
  const secret = 'taken at 52.5, 13.4'
  const jpeg = await sharp(rose)
    .withExif({ IFD0: { Copyright: secret } })
    .jpeg()
    .toBuffer()
  assert.ok(jpeg.includes(secret))
  const path = pathOf(serve('/photo.jpg', jpeg, 'text/html'))
  for (const node of ['a', 'b'] as const) {
    const response = await load(path, { headers: { referer: 'https://chat.example/', cookie: 'a=b' } }, node)
    assert.equal(response.status, 200)
    const { headers } = response
    assert.equal(headers.get('content-type'), 'image/webp')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    )
    assert.equal(headers.get('cache-control'), 'private, max-age=86400')
    assert.equal(headers.get('set-cookie'), null)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(bytes.length, Number(headers.get('content-length')))
    assert.ok(!bytes.includes(secret))
    const { format, width, height, exif } = await sharp(bytes).metadata()
    assert.deepEqual(
      { format, width, height, exif },
      { format: 'webp', width: 60, height: 40, exif: undefined },
    )

    const etag = headers.get('etag') ?? ''
    assert.equal((await load(path, { headers: { 'if-none-match': etag } }, node)).status, 304)
    const head = await load(path, { method: 'HEAD' }, node)
    assert.deepEqual([head.status, await head.text()], [200, ''])
  }
  // Each node fetched the picture once, and disclosed nothing about its reader.
  assert.deepEqual(
    visits.map(({ headers }) => Object.keys(headers).sort()),
    Array(2).fill(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']),
  )
})

test('an animated picture of another host stays animated', async () => {
  const frames = [rose, pngOf(60, 40, [30, 200, 60]), pngOf(60, 40, [30, 60, 200])]
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const response = await load(pathOf(serve('/moving.gif', moving, 'image/gif')))
  const { pages } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  assert.equal(pages, 3)
})

test('paths that this organization did not sign are refused without a request', async () => {
  const url = picture('/forged.png')
  const path = pathOf(url)
  const [, , mac = '', encoded = ''] = path.split('/')
  const { organization_id: foreign } = await world.addOrganization('elsewhere')
  const pathForOther = signPicture(app.secrets, foreign as never, url)
  const hexOf = (text: string) => Buffer.from(text).toString('hex')
  const hash = (text: string) => app.secrets.hash(text).toString('hex').slice(0, 40)
  const forged = [
    pathForOther,
    ...[
      `${mac}/${hexOf(`${url}?`)}`,
      `${mac}/${hexOf('http://127.0.0.1/')}`,
      `${mac}/${encoded.toUpperCase()}`,
      `${mac}/${encoded}zz`,
      `${mac}/${encoded}0`,
      `${mac}/${encoded}/a`,
      `${mac}/%${encoded}`,
      `${mac}/${encodeURIComponent(url)}`,
      `${mac}/`,
      mac,
      `/${encoded}`,
      `${mac.toUpperCase()}/${encoded}`,
      `${mac.slice(0, -1)}/${encoded}`,
      `${mac}0/${encoded}`,
      `${mac.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}/${encoded}`,
      `${'0'.repeat(40)}/${encoded}`,
      `${hash(url)}/${encoded}`,
      `${hash(`temporary link ${url}`)}/${encoded}`,
      `${'a'.repeat(5_000)}/${encoded}`,
      `${mac}/${hexOf('')}`,
    ].map((rest) => `/external_content/${rest}`),
  ]
  for (const path of forged) {
    const { status } = await load(path)
    assert.ok(status === 400 || status === 404, `${path}: ${status}`)
  }
  assert.equal(visits.length, 0)

  const elsewhere = fetchAt('elsewhere.localhost')
  assert.equal((await elsewhere(world.nodes.a.url + path)).status, 400)
  assert.equal((await elsewhere(world.nodes.a.url + pathForOther)).status, 200)
  assert.equal((await fetchAt('nobody.localhost')(world.nodes.a.url + path)).status, 404)
  assert.equal((await load(path, { method: 'POST' })).status, 405)
  assert.equal(visits.length, 1)
})

test('only pictures are shown, and refusals do not state the reason', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const wide = await sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#123' } })
    .png()
    .toBuffer()
  pictures.set('/away.png', (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end())
  pictures.set('/broken.png', (response) => response.destroy())
  pictures.set('/endless.png', (response) => {
    const sendMore = () => response.destroyed || response.write(Buffer.alloc(100_000), () => sendMore())
    sendMore()
  })
  const urls = [
    serve('/drawing.svg.png', svg, 'image/svg+xml'),
    serve('/svg.png', `<?xml version="1.0"?>${svg}`),
    serve('/page.png', '<script>alert(1)</script>'),
    serve('/text.png', 'roses', 'text/plain'),
    serve('/document.png', '%PDF-1.4', 'application/pdf'),
    serve('/empty.png', ''),
    serve('/half.png', rose.subarray(0, 80)),
    serve('/photo.bmp', Buffer.from('424d'.padEnd(400, '0'), 'hex'), 'image/bmp'),
    serve('/wide.png', wide),
    serve('/gone.png', rose, 'image/png', 404),
    serve('/failed.png', rose, 'image/png', 500),
    picture('/away.png'),
    picture('/broken.png'),
    picture('/endless.png'),
    `http://127.0.0.1:${port}/a.png`,
    `http://2130706433:${port}/a.png`,
    `http://[::1]:${port}/a.png`,
    `http://inside.example:${port}/a.png`,
    'http://169.254.169.254/latest/a.png',
    `http://unknown.invalid:${port}/a.png`,
    `http://iris:plum@pictures.example:${port}/a.png`,
    `http://pictures.example:22/a.png`,
    `https://pictures.example:${port}/a.png`,
    'ftp://pictures.example/a.png',
    'file:///etc/passwd',
  ]
  const responses = await Promise.all(
    urls.map(async (url) => {
      const response = await load(pathOf(url))
      return [url, response.status, await response.text()]
    }),
  )
  assert.deepEqual(
    responses,
    urls.map((url) => [url, 404, responses[0]?.[2]]),
  )
  assert.match(String(responses[0]?.[2]), /File not found\./)

  // A picture that failed is not fetched again for every reader.
  const before = visits.length
  for (const url of urls) assert.equal((await load(pathOf(url))).status, 404)
  assert.equal(visits.length, before)
})

test('a picture is fetched once for many readers, and a slow host does not delay other pictures', async () => {
  const held: ServerResponse[] = []
  pictures.set('/slow.png', (response) => held.push(response))
  const path = pathOf(picture('/slow.png'))
  const readers = Array.from({ length: 40 }, () => load(path))
  await eventually(() => held.length > 0)
  assert.equal((await load(pathOf(picture('/quick.png')))).status, 200)
  held[0]?.end(rose)
  const statuses = (await Promise.all(readers)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(held.length, 1)
})

test('the cache stays within its limit even if one member posts many pictures', async () => {
  const noise = await sharp({
    create: {
      width: 500,
      height: 400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  pictures.set('/noise.png', (response) => response.end(noise))
  const paths = Array.from({ length: 11 }, (_, index) => pathOf(picture(`/noise.png?${index}`)))
  const sizes = new Set<number>()
  for (const path of paths) sizes.add((await (await load(path)).arrayBuffer()).byteLength)
  const [size = 0] = sizes
  assert.ok(size * paths.length > 1_200_000, `${size} bytes each`)
  assert.ok(cachedPictureBytes(app) <= 1_048_576)
  assert.ok(cachedPictureBytes(app) > 500_000)

  const before = visits.length
  assert.equal((await load(paths.at(-1) ?? '')).status, 200)
  assert.equal(visits.length, before)
  assert.equal((await load(paths[0] ?? '')).status, 200)
  assert.equal(visits.length, before + 1)
})

test('without the proxy, messages show direct sources and signed paths redirect to them', async () => {
  const url = picture('/direct.png')
  const node = await startNode(
    { ...app.config, port: 0, image_proxy: false },
    { ...patientLimits, logTo: world.log, passwordCost: 'cheap' },
  )
  try {
    const response = await fetch(node.url + pathOf(url), { redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [302, url])
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const forged = `/external_content/${'0'.repeat(40)}/${Buffer.from(url).toString('hex')}`
    assert.equal((await fetch(node.url + forged, { redirect: 'manual' })).status, 400)
    const link = { redirect: 'manual', headers: { 'sec-fetch-dest': 'document' } } as const
    assert.equal((await fetch(node.url + pathOf(url), link)).status, 404)
  } finally {
    await node.stop()
  }
  assert.equal(visits.length, 0)
})

test('requests for new pictures of one organization, and wrong signatures from one address, are limited', async () => {
  const limits = { rate_limit_per_minute: 1, stranger_limit_per_minute: 3 }
  const { resolveHost } = dns
  const node = await startNode(
    { ...app.config, ...limits, port: 0 },
    { ...patientLimits, logTo: world.log, passwordCost: 'cheap', resolveHost },
  )
  const statusOf = async (path: string) => (await fetch(node.url + path)).status
  try {
    const paths = Array.from({ length: 6 }, (_, index) => pathOf(picture(`/limited.png?${index}`)))
    for (const path of paths.slice(0, 5)) assert.equal(await statusOf(path), 200)
    const { registry } = node.app.metrics
    const counted = await registry.getSingleMetricAsString('oxbow_outward_requests_total')
    assert.match(counted, /\{outcome="answered"\} 5/)
    assert.equal(await statusOf(paths[5] ?? ''), 429)
    // Pictures that the node has cached are not counted.
    assert.equal(await statusOf(paths[0] ?? ''), 200)

    const forged = `/external_content/${'0'.repeat(40)}/00`
    for (let attempt = 0; attempt < 3; attempt++) assert.equal(await statusOf(forged), 400)
    assert.equal(await statusOf(forged), 429)
  } finally {
    await node.stop()
  }
  assert.equal(visits.length, 5)
})

const messageCount = bySize({ gate: 60, long: 1_000 })
/** Number of messages on a page. A browser waits for all pictures of a page. */
const messagesPerPage = 50

test('a browser that shows messages with pictures of other hosts sends no request to them', async () => {
  const shapes = [
    (n: number) => picture(`/${n}.png`),
    (n: number) => `see [rose ${n}](${picture(`/${n}.jpg`)}) and https://secure.example/${n}.gif`,
    (n: number) => `* one http://a${n}.example:${port}/b.png\n* two HTTP://B${n}.example:${port}/c.WEBP`,
    (n: number) => `https://www.youtube.com/watch?v=abcdef${10_000 + n} https://youtu.be/ghijkl${10_000 + n}`,
    (n: number) => `https://github.com/a/b/blob/main/${n}.png`,
    (n: number) => `[a](http://gärten${n}.example:${port}/b.png?c=&quot;d&amp;e#f) [b](c${n}.example/d.png)`,
    (n: number) => `[a](/\\evil${n}.example/b.png) [b](//evil${n}.example/b.png) [c](/a/${n}.png)`,
    (n: number) => `| a | b |\n|---|---|\n| http://t${n}.example:${port}/a.png | \`x\` |`,
    (n: number) =>
      `[a](http:///evil${n}.example/b.png) [b](http:/evil${n}.example/b.png) [c](ftp://e.example/f.png)`,
    (n: number) => `![a](${picture(`/${n}.png?d`)}) <img src="${picture(`/${n}.png?e`)}">`,
  ]
  for (let n = 0; n < messageCount; n++) {
    await send(shapes[n % shapes.length]?.(n) ?? '', n % 2 ? iris : otto, 'pictures')
  }
  const stored = await world.database.query<{ id: number; content: string }>(
    "select id::int, content from message where organization_id = $1 and topic = 'pictures' order by id",
    [organization_id],
  )
  assert.equal(stored.length, messageCount)
  // A third of the messages get the form in which a node of the previous release stored them.
  const old = stored.filter((_, index) => index % 3 === 0).map(({ id }) => id)
  await world.database.query(
    `update message set rendered_content = $3 || rendered_content
      where organization_id = $1 and id = any($2::bigint[])`,
    [
      organization_id,
      old,
      `<div class="message_inline_image"><a href="${picture('/old.png')}"><img src="${picture('/old.png')}"></a></div>` +
        `<div class="message_embed"><a class="message_embed_image" href="https://p.example/" style="background-image: url(${picture('/page.png?old')})"></a></div>`,
    ],
  )
  const { messages } = await otto.messages.list({
    anchor: 'newest',
    num_before: messageCount,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'pictures' }],
  } as never)
  assert.equal(messages.length, messageCount)

  const origin = world.nodes.a.url
  const { cookie } = await signIn(world, otto)
  await using browser = await startWatchedBrowser(origin, cookie)
  const styles = '<style>.message_embed_image { display: block; width: 50px; height: 50px }</style>'
  for (let first = 0; first < messages.length; first += messagesPerPage) {
    const texts = messages.slice(first, first + messagesPerPage).map(({ content }) => `<div>${content}</div>`)
    const page = await browser.serveOpenly(
      `/reading/${first}`,
      'text/html; charset=utf-8',
      `<!doctype html>${styles}<body>${texts.join('')}`,
    )
    assert.deepEqual(await browser.open(page), { kind: 'shown', type: 'text/html' })
    assert.deepEqual(browser.takeTraces(), [])
  }
  assert.ok(visits.length >= messageCount / 3, `${visits.length} pictures were fetched by the node`)

  // The same page with a direct source sends a request, which proves that the test can detect one.
  const direct = await browser.serveOpenly('/direct', 'text/html', `<img src="${picture('/direct.png')}">`)
  await browser.open(direct)
  assert.deepEqual(browser.takeTraces(), [`request ${picture('/direct.png')}`])
})
