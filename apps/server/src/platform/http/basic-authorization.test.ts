import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basic } from '@oxbow/testkit'
import { readBasicAuthorization } from './read-caller.ts'

const api_key = 'k'.repeat(32)
const headerOf = (email: string) => basic({ email, api_key })

test('repeated Authorization headers are parsed once', () => {
  const first = readBasicAuthorization(headerOf('iris@garden.example'))
  const again = readBasicAuthorization(headerOf('iris@garden.example'))

  assert.deepEqual(first, { email: 'iris@garden.example', api_key })
  assert.equal(again, first)
})

test('a long Authorization header is parsed but not cached', () => {
  const email = `${'i'.repeat(10_000)}@garden.example`
  const first = readBasicAuthorization(headerOf(email))
  const again = readBasicAuthorization(headerOf(email))

  assert.deepEqual(first, { email, api_key })
  assert.deepEqual(again, first)
  assert.notEqual(again, first)
})
