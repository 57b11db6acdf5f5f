import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientName } from './read-caller.ts'

const byUserAgent: Record<string, string> = {
  'curl/7.68.0': 'curl',
  'Mozilla/5.0 (X11; Linux x86_64)': 'Mozilla',
  'my app 1.0': 'my app',
  'my app': 'my app',
  'my app/1.0': 'my app',
  'my app (Debian GNU/Linux; 12)': 'my app',
  'ZulipHelloworldBot (Debian GNU/Linux; 12)': 'ZulipHelloworldBot',
  'ZulipTerminal/0.7.0 Linux-6.1-x86_64 (Debian GNU/Linux; 12)': 'ZulipTerminal',
  'app2 beta 3': 'app2 beta',
  '7zip': '7zip',
  '/1.0': 'Unspecified',
  '': 'Unspecified',
}

test('the client name is the product name of the User-Agent, without version and comment', () => {
  for (const [userAgent, name] of Object.entries(byUserAgent))
    assert.equal(clientName(undefined, userAgent), name, userAgent)
  assert.equal(clientName(undefined, undefined), 'Unspecified')
})

test('client names are truncated to 30 characters without a trailing blank', () => {
  assert.equal(clientName(undefined, 'x'.repeat(40)), 'x'.repeat(30))
  assert.equal(clientName(undefined, `${'x'.repeat(29)} program`), 'x'.repeat(29))
})

test('the parameter `client` takes precedence over the User-Agent', () => {
  assert.equal(clientName('website', 'curl/7.68.0'), 'website')
  assert.equal(clientName('', 'curl/7.68.0'), 'curl')
})
