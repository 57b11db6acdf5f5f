import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveHost } from './host.ts'

const cases: [string, string | undefined, string | undefined, string | null, string][] = [
  // Title, external_url, Host header, subdomain, origin.
  [
    'without an external URL, any host is the root host',
    undefined,
    'box.lan:8484',
    '',
    'http://box.lan:8484',
  ],
  ['without a Host header, the root host is assumed', undefined, undefined, '', 'http://localhost'],
  [
    'a subdomain of localhost is that of an organization',
    undefined,
    'tea.localhost:8484',
    'tea',
    'http://tea.localhost:8484',
  ],
  [
    'the host of the external URL is the root host',
    'https://chat.example',
    'chat.example',
    '',
    'https://chat.example',
  ],
  [
    'a subdomain of the external URL is that of an organization',
    'https://chat.example',
    'tea.chat.example',
    'tea',
    'https://tea.chat.example',
  ],
  [
    'a subdomain may have the port of the external URL',
    'http://chat.example:81',
    'tea.chat.example:81',
    'tea',
    'http://tea.chat.example:81',
  ],
  [
    'upper and lower case are equal in hosts',
    'https://chat.example',
    'Tea.Chat.Example',
    'tea',
    'https://tea.chat.example',
  ],
  [
    'a subdomain of a subdomain is a foreign host',
    'https://chat.example',
    'a.b.chat.example',
    null,
    'https://chat.example',
  ],
  [
    'a host below another domain is foreign',
    'https://chat.example',
    'evil.example',
    null,
    'https://chat.example',
  ],
  [
    'a host that only ends like the external URL is foreign',
    'https://chat.example',
    'evilchat.example',
    null,
    'https://chat.example',
  ],
  ['an IPv4 address is the root host', 'https://chat.example', '10.0.0.7:8484', '', 'https://chat.example'],
  ['an IPv6 address is the root host', 'https://chat.example', '[::1]:8484', '', 'https://chat.example'],
  ['an invalid Host header does not appear in the origin', undefined, '"><script>', '', 'http://localhost'],
]

for (const [name, external_url, header, subdomain, origin] of cases) {
  test(name, () => {
    assert.deepEqual(resolveHost({ external_url }, header), { subdomain, origin })
  })
}
