import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toReportingClient } from './client-names.ts'

const names: [given: string, kept: string][] = [
  ['website', 'website'],
  ['ChatDesktop', 'website'],
  ['chatElectron', 'website'],
  ['Chat Desktop App', 'website'],
  ['ChatMobile', 'ChatMobile'],
  ['aggregated', 'Unspecified'],
  ['__proto__', 'Unspecified'],
  ['half \ud83c', 'half \ufffd'],
]

for (const [given, kept] of names) {
  test(`a client named ${JSON.stringify(given)} reports as ${kept}`, () => {
    assert.equal(toReportingClient(given), kept)
  })
}
