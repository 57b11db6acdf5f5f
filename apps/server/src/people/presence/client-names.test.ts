import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toReportingClient } from './client-names.ts'

const names: [input: string, kept: string][] = [
  ['website', 'website'],
  ['ChatDesktop', 'website'],
  ['chatElectron', 'website'],
  ['Chat Desktop App', 'website'],
  ['ChatMobile', 'ChatMobile'],
  ['aggregated', 'Unspecified'],
  ['__proto__', 'Unspecified'],
  ['half \ud83c', 'half \ufffd'],
]

for (const [sentName, storedName] of names) {
  test(`a client named ${JSON.stringify(sentName)} reports as ${storedName}`, () => {
    assert.equal(toReportingClient(sentName), storedName)
  })
}
