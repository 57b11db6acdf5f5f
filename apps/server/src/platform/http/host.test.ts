import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveHost } from './host.ts'

const cases: [string, string | undefined, string | undefined, string | null, string][] = [
  // external_url, Host header, subdomain, origin
  ['before it has a name, any host is the root', undefined, 'box.lan:8484', '', 'http://box.lan:8484'],
  ['and so is no host', undefined, undefined, '', 'http://localhost'],
  ['subdomains of localhost are others', undefined, 'tea.localhost:8484', 'tea', 'http://tea.localhost:8484'],
  ['the named host is the root', 'https://chat.example', 'chat.example', '', 'https://chat.example'],
  [
    'its subdomains are others',
    'https://chat.example',
    'tea.chat.example',
    'tea',
    'https://tea.chat.example',
  ],
  [
    'with the port of the external URL',
    'http://chat.example:81',
    'tea.chat.example:81',
    'tea',
    'http://tea.chat.example:81',
  ],
  ['case does not matter', 'https://chat.example', 'Tea.Chat.Example', 'tea', 'https://tea.chat.example'],
  ['deeper names are none of ours', 'https://chat.example', 'a.b.chat.example', null, 'https://chat.example'],
  ['nor are other hosts', 'https://chat.example', 'evil.example', null, 'https://chat.example'],
  ['nor hosts that only end alike', 'https://chat.example', 'evilchat.example', null, 'https://chat.example'],
  ['a plain address is the root', 'https://chat.example', '10.0.0.7:8484', '', 'https://chat.example'],
  ['also a long one', 'https://chat.example', '[::1]:8484', '', 'https://chat.example'],
  ['what is no host is not repeated', undefined, '"><script>', '', 'http://localhost'],
]

for (const [name, external_url, header, subdomain, origin] of cases) {
  test(name, () => {
    assert.deepEqual(resolveHost({ external_url }, header), { subdomain, origin })
  })
}
