import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type DnsServer, eventually, startDnsServer } from '@oxbow/testkit'
import { fetchOutbound, type OutboundRequest } from './fetch-outbound.ts'
import { Outbound } from './outbound.ts'
import { OutboundRefusal, type OutboundRefusalReason } from './outbound-refusal.ts'

// One server listens at every address of the machine. The addresses of 127.0.1.0/24 are allowed and represent
// the public Internet; all others are private.
const allowed = '127.0.1.0/24'
const publicAddress = '127.0.1.1'
const request: OutboundRequest = { accept: '*/*', maxBytes: 100_000, timeoutMs: 30_000 }
/** A request with a short timeout, for hosts that never finish. */
const impatient: OutboundRequest = { ...request, timeoutMs: 300 }

type Respond = (response: ServerResponse, request: IncomingMessage) => void

const zeros = Buffer.alloc(3_000_000)
const text = 'Roses need light. '.repeat(100)
const packed =
  (coding: string, bytes: Buffer): Respond =>
  (response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(bytes)

/** Sends pieces until the client closes the connection. */
const sendEndlessly = (response: ServerResponse, start: string, piece: string) => {
  const { socket } = response
  if (!socket) return
  socket.write(start)
  const send = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', () => setTimeout(send, 5))
  }
  send()
}

const pages: Record<string, Respond> = {
  '/': (response) => response.end(text),
  '/missing': (response) => response.writeHead(404, { 'X-Soil': ['clay', 'sand'] }).end('no such page'),
  '/cookie': (response) =>
    response.writeHead(302, { 'set-cookie': 'a=b', location: '/', 'www-authenticate': 'Basic' }).end(),
  '/no-location': (response) => response.writeHead(302).end('nowhere'),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/hop': (response, { url = '' }) => {
    const hopsLeft = Number(url.split('?')[1])
    response.writeHead(307, { location: hopsLeft > 1 ? `/hop?${hopsLeft - 1}` : '/' }).end()
  },
  '/to': (response, { url = '' }) => {
    const location = Buffer.from(decodeURIComponent(url.split('?')[1] ?? '')).toString('latin1')
    response.writeHead(302, { location }).end()
  },
  '/endless-redirect': (response) =>
    sendEndlessly(response, 'HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n', 'x'.repeat(1_000)),
  '/silent': () => {},
  '/half-a-header': (response) => response.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: te'),
  '/endless-headers': (response) => sendEndlessly(response, 'HTTP/1.1 200 OK\r\n', 'x-a: bbbbbbbbbb\r\n'),
  '/endless-header': (response) => sendEndlessly(response, 'HTTP/1.1 200 OK\r\nx-a: ', 'b'.repeat(100)),
  '/endless-status': (response) => sendEndlessly(response, 'HTTP/1.1 200 ', 'b'.repeat(100)),
  '/endless-hints': (response) => sendEndlessly(response, '', 'HTTP/1.1 103 Early Hints\r\nx-a: b\r\n\r\n'),
  '/endless-trailers': (response) =>
    sendEndlessly(response, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'x-a: bbbbbb\r\n'),
  '/endless-chunk-extension': (response) =>
    sendEndlessly(response, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'a'.repeat(100)),
  '/endless-body': (response) => sendEndlessly(response, 'HTTP/1.1 200 OK\r\n\r\n', 'b'.repeat(1_000)),
  '/half-a-body': (response) => void response.writeHead(200, { 'content-length': 1_000 }).write('half'),
  '/cut-off-body': (response) => response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'),
  '/claims-too-much': (response) => void response.writeHead(200, { 'content-length': 2e9 }).write('a'),
  '/100000-bytes': (response) => response.end(zeros.subarray(0, 100_000)),
  '/100001-bytes': (response) => response.end(zeros.subarray(0, 100_001)),
  '/gzip': packed('gzip', gzipSync(text)),
  '/x-gzip': packed('X-GZIP', gzipSync(text)),
  '/deflate': packed('deflate', deflateSync(text)),
  '/raw-deflate': packed('deflate', deflateRawSync(text)),
  '/br': packed('br', brotliCompressSync(text)),
  '/identity': packed('identity', Buffer.from(text)),
  '/gzip-without-end': packed('gzip', gzipSync(text).subarray(0, -8)),
  '/gzip-bomb': packed('gzip', gzipSync(zeros)),
  '/deflate-bomb': packed('deflate', deflateSync(zeros)),
  '/raw-deflate-bomb': packed('deflate', deflateRawSync(zeros)),
  '/br-bomb': packed('br', brotliCompressSync(zeros)),
  '/double-gzip': packed('gzip, gzip', gzipSync(gzipSync(zeros))),
  '/no-gzip': packed('gzip', Buffer.from(text)),
  '/unknown-coding': packed('zstd', Buffer.from(text)),
  '/no-http': (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
  '/two-lengths': (response) =>
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
  '/closed': (response) => response.socket?.destroy(),
}

/** The addresses that the name server returns. */
const names: Record<string, readonly string[]> = {
  'garden.example': [publicAddress],
  'xn--grten-gra.example': [publicAddress],
  'alias.example': ['garden.example', publicAddress],
  'many.example': ['127.0.1.2', '127.0.1.3', publicAddress],
  localhost: ['127.0.0.1'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'unspecified.example': ['0.0.0.0'],
  'ten.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-public.example': ['::ffff:8.8.8.8'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'unique-local.example': ['fd00::1'],
  'alias-inside.example': ['inside.example', '10.0.0.1'],
  'mixed.example': [publicAddress, '127.0.0.1'],
  'mixed-last.example': [publicAddress, '127.0.1.2', '127.0.1.3', '192.168.0.1'],
  'mixed6.example': [publicAddress, '::1'],
  'nothing.example': [],
}

let port: number
let dns: DnsServer
let outbound: Outbound
const visits: { address: string; headers: IncomingHttpHeaders; path: string }[] = []
let changing = 0
let maxUnanswered = 0
let unanswered: ServerResponse[] | undefined

const server = createServer((request, response) => {
  const address = (request.socket.localAddress ?? '').replace('::ffff:', '')
  visits.push({ address, headers: request.headers, path: request.url ?? '' })
  if (unanswered) {
    unanswered.push(response)
    maxUnanswered = Math.max(maxUnanswered, unanswered.length)
    return
  }
  const [path = ''] = (request.url ?? '').split('?')
  const respond = pages[path]
  if (respond) respond(response, request)
  else response.end(text)
})

before(async () => {
  dns = await startDnsServer((name, type) => {
    if (name === 'silent.example') return undefined
    if (name === 'changing.example' && type === 'AAAA') return []
    if (name === 'changing.example') return changing++ === 0 ? [publicAddress] : ['127.0.0.1']
    if (name.endsWith('.many-addresses.example')) return [`127.0.1.${Number(name.split('.')[0]) + 1}`]
    if (name.endsWith('.one-address.example')) return [publicAddress]
    return names[name] ?? []
  })
  const hasIpv6 = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(0, '::', () => resolve(true))
  })
  if (!hasIpv6) await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
  outbound = new Outbound({ outward_allowed_networks: [allowed] }, dns)
})

beforeEach(() => {
  visits.length = 0
  unanswered = undefined
})

after(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
  await dns[Symbol.asyncDispose]()
})

async function reasonOf(url: string, options = request): Promise<OutboundRefusalReason | 'answered'> {
  return fetchOutbound(outbound, url, options).then(
    () => 'answered',
    (error) => {
      assert.ok(error instanceof OutboundRefusal, String(error))
      return error.reason
    },
  )
}

/**
 * Fetches all URLs and compares the reasons for which they are refused. Fails if a private address was
 * visited.
 */
async function expectReasons(
  urls: readonly string[],
  expected: OutboundRefusalReason | 'answered',
  options = request,
): Promise<void> {
  const reasons = await Promise.all(urls.map(async (url) => [url, await reasonOf(url, options)]))
  assert.deepEqual(
    reasons,
    urls.map((url) => [url, expected]),
  )
  assert.deepEqual(
    visits.filter(({ address }) => !address.startsWith('127.0.1.')),
    [],
  )
}

const at = (host: string) => `http://${host}:${port}/`
const page = (path: string) => `http://garden.example:${port}${path}`

const privateHosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '0x7f000001',
  '0X7F.1',
  '0x7f.0x0.0x0.0x1',
  '0x7f.0.0.01.',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '127.0.0.%31',
  '0',
  '0.0.0.0',
  '0x0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '012.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '3232235777',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::8.8.8.8]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::8.8.8.8]',
  '[64:ff9b:1::7f00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:0:53aa:64c:0:0:80ff:fffe]',
  '[2001:2::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[2620:4f:8000::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff0e::1]',
]

test('addresses that are not public are refused, however they are written', async () => {
  await expectReasons(privateHosts.map(at), 'address refused')
  await expectReasons(
    [
      `http:127.0.0.1:${port}`,
      `http:\\\\127.0.0.1:${port}\\`,
      `http:/127.0.0.1:${port}/`,
      `\thttp://127.0.0\n.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `HTTP://127.0.0.1:${port}/#@garden.example`,
      `http://127.0.0.1:${port}/?@garden.example`,
      `http://127.0.0.1:${port}\\@garden.example/`,
    ],
    'address refused',
  )
  assert.equal(visits.length, 0)
})

test('other schemes, credentials and malformed URLs are refused', async () => {
  const urls = [
    'file:///etc/passwd',
    'file://127.0.0.1/etc/passwd',
    `ftp://garden.example:${port}/`,
    'gopher://garden.example/',
    'dict://garden.example:11111/',
    'ldap://garden.example/',
    'ws://garden.example/',
    'data:text/html,hello',
    'javascript:alert(1)',
    'blob:http://garden.example/1',
    'about:blank',
    'unix:/var/run/postgresql',
    'jar:http://garden.example/a!/b',
    `//garden.example:${port}/`,
    '/page',
    'garden.example',
    '',
    'http://',
    'http:///',
    'http://?',
    'http://./',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://0x100000000/',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1:-1/',
    'http://[::1/',
    'http://[::1%25lo]/',
    'http://[fe80::1%lo]/',
    'http://[::ffff:127.0.0.0x1]/',
    'http://gar den.example/',
    'http://garden%00.example/',
    'http://garden.example%2f@127.0.0.1/',
    `http://${'a'.repeat(60)}.${`${'b'.repeat(60)}.`.repeat(4)}example/`,
    `http://garden.example:${port}/${'a'.repeat(9_000)}`,
    `http://iris@garden.example:${port}/`,
    `http://iris:plum@garden.example:${port}/`,
    `http://:plum@garden.example:${port}/`,
    `http://garden.example:${port}@127.0.0.1:${port}/`,
  ]
  await expectReasons(urls, 'bad url')
  assert.equal(visits.length, 0)
})

test('ports of other protocols are refused', async () => {
  const ports = [0, 1, 21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 1723, 2049, 5060, 6000, 6667, 10080]
  await expectReasons(
    ports.map((port) => `http://garden.example:${port}/`),
    'port refused',
  )
})

test('names with a refused address are refused, even if their other addresses are public', async () => {
  const hosts = [
    ...['localhost', 'LOCALHOST', 'localhost.', 'loopback.example', 'LoopBack.example.', 'loopback6.example'],
    ...['unspecified.example', 'ten.example', 'metadata.example', 'mapped.example', 'mapped-public.example'],
    ...['nat64.example', 'unique-local.example', 'alias-inside.example', 'ｌｏｏｐｂａｃｋ.example'],
    ...['mixed.example', 'mixed-last.example', 'mixed6.example', 'loop\u00adback.example'],
  ]
  await expectReasons(hosts.map(at), 'address refused')
  assert.equal(visits.length, 0)
})

test('a name without an address is refused as unknown, and a name whose server is silent as too slow', async () => {
  await expectReasons([at('nothing.example'), at('unknown.example'), at('intranet')], 'unknown host')
  await expectReasons([at('silent.example')], 'too slow', impatient)
})

test('a connection uses the checked IP address even if DNS returns another one afterwards', async () => {
  changing = 0
  const response = await fetchOutbound(outbound, at('changing.example'), request)
  assert.equal(response.body.toString(), text)
  assert.deepEqual(
    visits.map(({ address }) => address),
    [publicAddress],
  )

  await expectReasons([at('changing.example')], 'address refused')

  changing = 0
  await expectReasons([`${at('changing.example')}to?${encodeURIComponent('/')}`], 'address refused')
})

test('allowed hosts answer under every form of their name', async () => {
  const hosts = [
    ...['garden.example', 'GARDEN.example.', 'gärten.example', 'GÄRTEN.example', 'xn--grten-gra.example'],
    ...['alias.example', 'many.example', publicAddress, '127.0.1.1.', '0x7f.0.257', '2130706689'],
  ]
  await expectReasons(hosts.map(at), 'answered')
})

test('redirects are followed to allowed hosts only, and only five times', async () => {
  const to = (url: string) => page(`/to?${encodeURIComponent(url)}`)
  const privateUrls = [...privateHosts.slice(0, 30), '[::1]', '[::ffff:127.0.0.1]', 'mixed.example'].map(at)
  await expectReasons([...privateUrls, `//127.0.0.1:${port}/`, '//localhost'].map(to), 'address refused')
  const bad = [
    'file:///etc/passwd',
    'gopher://garden.example/',
    page('/').replace('//', '//iris@'),
    'http://[',
  ]
  await expectReasons([...bad, 'data:,a', 'http://'].map(to), 'bad url')
  await expectReasons([to('http://garden.example:22/')], 'port refused')
  await expectReasons([page('/loop'), page('/hop?6'), page('/hop?100')], 'too many redirects')

  const fine = [to('/'), to('.?a'), to(page('/')), to(at('many.example')), page('/endless-redirect')]
  await expectReasons([...fine, page('/no-location'), page('/hop?5')], 'answered')
  const { url, status } = await fetchOutbound(outbound, page('/hop?3'), request)
  assert.deepEqual({ url, status }, { url: page('/'), status: 200 })
})

test('responses that do not end are aborted', async () => {
  const slow = ['/silent', '/half-a-header', '/half-a-body', '/endless-hints', '/endless-chunk-extension']
  await expectReasons(slow.map(page), 'too slow', impatient)
  const large = ['/endless-headers', '/endless-header', '/endless-trailers', '/endless-body']
  await expectReasons([...large, '/claims-too-much', '/100001-bytes'].map(page), 'too large')
  await eventually(() => outbound.pendingRequests === 0)
})

test('compressed bodies are read, and refused if they are too large after decompression', async () => {
  const readable = ['/gzip', '/x-gzip', '/deflate', '/raw-deflate', '/br', '/identity', '/gzip-without-end']
  for (const path of readable) {
    const { body } = await fetchOutbound(outbound, page(path), request)
    assert.equal(body.toString(), text, path)
  }
  const bombs = ['/gzip-bomb', '/deflate-bomb', '/raw-deflate-bomb', '/br-bomb']
  await expectReasons(bombs.map(page), 'too large')
  await expectReasons(['/double-gzip', '/no-gzip', '/unknown-coding'].map(page), 'bad response')
  await expectReasons([page('/100000-bytes')], 'answered')
})

test('hosts that break the protocol or the connection are refused', async () => {
  await expectReasons([page('/no-http')], 'bad response')
  const broken = [page('/closed'), page('/two-lengths'), page('/cut-off-body')]
  await expectReasons([...broken, `http://${publicAddress}:1024/`], 'unreachable')
})

test('servers without TLS or with a certificate that is not valid are refused', async () => {
  await using secure = await startSecureServer()
  await expectReasons(
    [`https://garden.example:${port}/`, `https://garden.example:${secure.port}/`],
    'no secure connection',
  )
})

/** Starts a server whose certificate nobody has signed. */
async function startSecureServer() {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-tls-'))
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  const subject = ['-subj', '/CN=garden.example', '-addext', 'subjectAltName=DNS:garden.example']
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  execFileSync('openssl', ['req', '-x509', ...ec, '-out', certificate, '-days', '2', ...subject], {
    stdio: 'ignore',
  })
  const files = { key: readFileSync(key), cert: readFileSync(certificate) }
  const server = createSecureServer(files, (_request, response) => response.end(text))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(directory, { recursive: true })
    },
  }
}

test('a request carries neither cookies nor credentials nor a referrer, even after a redirect', async () => {
  await fetchOutbound(outbound, page('/cookie'), { ...request, accept: 'text/html' })
  assert.deepEqual(
    visits.map(({ path, headers }) => ({ path, names: Object.keys(headers).sort(), accept: headers.accept })),
    ['/cookie', '/'].map((path) => ({
      path,
      names: ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
      accept: 'text/html',
    })),
  )
})

test('responses with an error status are returned', async () => {
  const { status, body, headers } = await fetchOutbound(outbound, page('/missing'), request)
  assert.deepEqual([status, body.toString(), headers['x-soil']], [404, 'no such page', 'clay, sand'])
})

/**
 * Sends all requests at once, and answers none of them before `expected` requests are open at the same time.
 * Returns the outcomes and how many were open at the same time.
 */
async function countConcurrent(urls: string[], expected: number) {
  unanswered = []
  maxUnanswered = 0
  const outcomes = Promise.all(urls.map((url) => reasonOf(url)))
  await eventually(() => (unanswered?.length ?? 0) >= expected)
  await eventually(() => {
    for (const response of unanswered?.splice(0) ?? []) response.end('ok')
    return outbound.pendingRequests === 0
  })
  return { atOnce: maxUnanswered, outcomes: await outcomes }
}

test('concurrent requests per host, per address and in total are limited, and further ones are refused', async () => {
  const times = (count: number, host: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => at(host(index)))
  const answered = (count: number) => Array<string>(count).fill('answered')

  const host = await countConcurrent(
    times(80, () => 'garden.example'),
    6,
  )
  assert.deepEqual(
    { ...host, outcomes: host.outcomes.toSorted() },
    { atOnce: 6, outcomes: [...answered(66), ...Array<string>(14).fill('busy')] },
  )
  const address = await countConcurrent(
    times(20, (index) => `${index}.one-address.example`),
    6,
  )
  assert.deepEqual(address, { atOnce: 6, outcomes: answered(20) })
  const network = await countConcurrent(
    times(60, (index) => `${index}.many-addresses.example`),
    32,
  )
  assert.deepEqual(network, { atOnce: 32, outcomes: answered(60) })
})

test('aborting a request or closing the node ends requests that run or wait', async () => {
  const caller = new AbortController()
  const refusal = reasonOf(page('/silent'), { ...request, signal: caller.signal })
  await eventually(() => visits.length === 1)
  caller.abort()
  assert.equal(await refusal, 'aborted')

  const node = new Outbound({ outward_allowed_networks: [allowed] }, dns)
  const reasons = Array.from({ length: 10 }, () =>
    fetchOutbound(node, page('/silent'), request).catch(({ reason }: OutboundRefusal) => reason),
  )
  await eventually(() => visits.length === 7)
  await node.close()
  assert.deepEqual(await Promise.all(reasons), Array<string>(10).fill('aborted'))
  await assert.rejects(fetchOutbound(node, page('/'), request), { reason: 'aborted' })
  assert.equal(node.pendingRequests, 0)
})
