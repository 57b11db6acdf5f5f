import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@oxbow/contract'
import { makePasswordHasher } from './passwords.ts'

const unknownNetwork = { isKnown: false }
const knownNetwork = { isKnown: true }

test('a password matches its own hash, and no password matches a missing hash', async () => {
  const passwords = makePasswordHasher('cheap')
  const hashed = await passwords.hash('plum tree')
  assert.match(hashed, /^\$argon2id\$/)
  assert.equal(await passwords.verify(hashed, 'plum tree', unknownNetwork), true)
  assert.equal(await passwords.verify(hashed, 'pear tree', unknownNetwork), false)
  assert.equal(await passwords.verify(null, 'nobody has this password', unknownNetwork), false)
})

test('password checks beyond the limit are refused, and those within the limit are completed', async () => {
  const passwords = makePasswordHasher('strong')
  const hashed = await passwords.hash('plum tree')

  const flood = await Promise.allSettled(
    Array.from({ length: 100 }, () => passwords.verify(hashed, 'plum tree', unknownNetwork)),
  )

  const accepted = flood.filter((outcome) => outcome.status === 'fulfilled')
  const refused = flood.filter((outcome) => outcome.status === 'rejected')
  assert.ok(accepted.length >= 40 && refused.length >= 40, `${accepted.length} taken`)
  assert.ok(accepted.every(({ value }) => value))
  assert.ok(refused.every(({ reason }) => reason instanceof ApiError && reason.is('RATE_LIMIT_HIT')))
  assert.equal(await passwords.verify(hashed, 'plum tree', unknownNetwork), true)
})

test('a flood from unknown networks leaves a slot for known networks', async () => {
  const passwords = makePasswordHasher('strong')
  const hashed = await passwords.hash('plum tree')
  let verifiedCount = 0
  const flood = Array.from({ length: 41 }, () =>
    passwords.verify(hashed, 'pear tree', unknownNetwork).then(() => verifiedCount++),
  )
  assert.equal(await passwords.verify(hashed, 'plum tree', knownNetwork), true)

  assert.ok(verifiedCount < 10, `${verifiedCount} strangers were answered first`)
  await Promise.all(flood)
})
