import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedRequest } from '../../platform/doctor/request-page.ts'
import { evaluateRequest, forgedAddress } from './evaluate-request.ts'

const correct: ReceivedRequest = {
  address: '10.0.0.2',
  isTrusted: true,
  host: 'chat.example.com',
  forwardedFor: `${forgedAddress}, 203.0.113.7`,
  forwardedProto: 'https',
}

const cases: [title: string, change: Partial<ReceivedRequest>, state: string, text: RegExp][] = [
  ['all headers correctly', {}, 'ok', /^The proxy at 10\.0\.0\.2 forwards/],
  ['a Host header with a port', { host: 'Chat.Example.com:443' }, 'ok', /forwards/],
  ['only its own address', { forwardedFor: '203.0.113.7' }, 'ok', /forwards/],
  ['the host in X-Forwarded-Host', { host: 'backend', forwardedHost: 'chat.example.com' }, 'ok', /forwards/],
  ['the host of the backend', { host: 'backend:8484' }, 'problem', /proxy_set_header Host/],
  ['no address of the client', { forwardedFor: undefined }, 'problem', /sends no X-Forwarded-For/],
  ['the address that the client claims', { forwardedFor: forgedAddress }, 'problem', /spoof/],
  ['no scheme of the client', { forwardedProto: undefined }, 'warning', /X-Forwarded-Proto/],
  ['the wrong scheme', { forwardedProto: 'http' }, 'warning', /X-Forwarded-Proto/],
  [
    'headers from an address that is not trusted',
    { isTrusted: false, address: '::ffff:10.0.0.2' },
    'problem',
    /Set OXBOW_TRUSTED_PROXIES=10\.0\.0\.2 on/,
  ],
]
for (const [title, change, state, text] of cases) {
  test(`a proxy with TLS that sends ${title} is judged as ${state}`, () => {
    const outcome = evaluateRequest('https://chat.example.com', { ...correct, ...change })

    assert.equal(outcome.state, state)
    assert.match(`${outcome.found} ${outcome.remedy ?? ''}`, text)
  })
}

test('a node without a proxy is recognized, although the doctor sends a forged address', () => {
  const received = { address: '203.0.113.7', isTrusted: false, host: 'chat.example.com:8484' }

  const outcome = evaluateRequest('http://chat.example.com:8484', {
    ...received,
    forwardedFor: forgedAddress,
  })

  assert.deepEqual(outcome, { state: 'ok', found: 'No proxy is in front of the node.' })
})
