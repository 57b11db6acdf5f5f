import assert from 'node:assert/strict'
import { test } from 'node:test'
import { streamEmailAddress } from './email-address.ts'

const email_token = '0123456789abcdef0123456789abcdef'
const address = (name: string) =>
  streamEmailAddress({ email_gateway_pattern: '%s@mail.garden.example' }, { name, email_token })

const slugs: Record<string, string> = {
  'New Stream': 'new-stream.',
  hümbüǵ: 'humbug.',
  'roses & tulips!': 'roses-tulips-.',
  snake_case9: 'snake_case9.',
  हिन्दी: '',
  日本語: '',
  '\ufe70': '',
  '⑴한한': '',
}

for (const [name, slug] of Object.entries(slugs)) {
  test(`the address of a stream named "${name}" begins with "${slug}" and its token`, () => {
    assert.equal(address(name), `${slug}${email_token}.show-sender@mail.garden.example`)
  })
}

test('streamEmailAddress is empty without a mail gateway', () => {
  assert.equal(streamEmailAddress({ email_gateway_pattern: undefined }, { name: 'x', email_token }), '')
})
