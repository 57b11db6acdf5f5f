import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDomain, isEmailAddress, normalizeEmail } from './email-address.ts'

test('isEmailAddress accepts only addresses that mail can be sent to', () => {
  const cases: [text: string, valid: boolean][] = [
    ['iris@garden.example', true],
    ['iris.berg+roses@sub.garden.example', true],
    ["o'neill!#$%&*/=?^_`{|}~-@garden.example", true],
    ['iris@localhost', true],
    ['iris@xn--grten-gra.example', true],
    [`${'x'.repeat(64)}@garden.example`, true],
    [`${'x'.repeat(65)}@garden.example`, false],
    [`x@${'y'.repeat(63)}.example`, true],
    [`x@${'y'.repeat(64)}.example`, false],
    [`x@${'y.'.repeat(130)}example`, false],
    ['', false],
    ['iris', false],
    ['@garden.example', false],
    ['iris@', false],
    ['iris@garden', false],
    ['iris@garden..example', false],
    ['iris@.example', false],
    ['iris@-garden.example', false],
    ['iris@10.1.2.3', false],
    ['.iris@garden.example', false],
    ['iris.@garden.example', false],
    ['iris..berg@garden.example', false],
    ['iris berg@garden.example', false],
    ['iris@garden.example\n', false],
    ['iris@berg@garden.example', false],
    ['Iris <iris@garden.example>', false],
    ['ïris@garden.example', false],
  ]
  for (const [text, valid] of cases) assert.equal(isEmailAddress(text), valid, text)
})

test('normalizeEmail lower-cases only the domain', () => {
  assert.equal(normalizeEmail('Iris.Berg@Garden.EXAMPLE'), 'Iris.Berg@garden.example')
  assert.equal(getDomain('Iris.Berg@Garden.EXAMPLE'), 'garden.example')
})
