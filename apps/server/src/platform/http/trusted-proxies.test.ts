import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'
import { loadConfig } from '../config/load-config.ts'
import { isTrustedProxy } from './host.ts'

const forwarded = {
  'x-forwarded-for': '198.51.100.1, 203.0.113.9',
  'x-forwarded-host': 'chat.forwarded.example',
  'x-forwarded-proto': 'https',
}

for (const trusted_proxies of [[], ['10.0.0.0/8'], ['127.0.0.1'], ['127.0.0.0/8', '::1']]) {
  const isTrusted = trusted_proxies.some((proxy) => proxy.startsWith('127'))
  test(`X-Forwarded headers are ${isTrusted ? '' : 'not '}used with trusted proxies [${trusted_proxies}]`, async () => {
    await using world = await startWorld({ config: { trusted_proxies, stranger_limit_per_minute: 2 } })
    const getSettings = (headers: Record<string, string>) =>
      request(world.nodes.a.url, { path: '/api/v1/server_settings', headers })
    const { body } = await getSettings(forwarded)
    const nodeHost = new URL(world.nodes.a.url).host
    assert.equal(body.realm_uri, isTrusted ? 'https://chat.forwarded.example' : `http://${nodeHost}`)
    await getSettings(forwarded)
    const other = await getSettings({ ...forwarded, 'x-forwarded-for': '203.0.113.9, 203.0.113.10' })
    assert.equal(other.status, isTrusted ? 200 : 429)
  })
}

test('addresses and networks are recognized in both notations', () => {
  const config = { trusted_proxies: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'] }
  const trusted = ['192.0.2.1', '::ffff:192.0.2.1', '10.9.8.7', '2001:db8::5']
  const untrusted = ['192.0.2.2', '11.0.0.1', '2001:db9::5', '', undefined]
  for (const address of trusted) assert.ok(isTrustedProxy(config, address), address)
  for (const address of untrusted) assert.ok(!isTrustedProxy(config, address), address)
})

test('OXBOW_TRUSTED_PROXIES refuses values that are not addresses', () => {
  for (const trustedProxies of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0'])
    assert.throws(
      () => loadConfig({}, { OXBOW_TRUSTED_PROXIES: trustedProxies }),
      /OXBOW_TRUSTED_PROXIES: must be addresses/,
    )
})

for (const [external_url, expected] of [
  ['https://chat.example', 'max-age=31536000'],
  ['http://chat.example', null],
] as const) {
  test(`responses ${expected === null ? 'have no' : 'have a'} Strict-Transport-Security header if the external URL is ${external_url}`, async () => {
    await using world = await startWorld({ config: { external_url } })
    const paths = [
      '/api/v1/users/me',
      '/api/v1/server_settings',
      '/health',
      '/api/docs',
      '/nowhere',
      '/static/images/x',
      '/%',
    ]
    for (const path of paths) {
      const { headers } = await request(world.nodes.a.url, { path, headers: { host: 'chat.example' } })
      assert.equal(headers.get('strict-transport-security'), expected, path)
    }
    const response = await sendRaw(world.nodes.a.url, 'this is not HTTP\r\n\r\n')
    assert.match(response, /^HTTP\/1.1 400 /)
    assert.equal(/^strict-transport-security: (.*)\r$/m.exec(response)?.[1] ?? null, expected)
  })
}

async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return text(socket)
}
