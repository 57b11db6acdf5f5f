import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordTypes } from '../format/records.ts'
import { readRecords } from './read-records.ts'

test('the largest entry that a bot can store is read', () => {
  const type = recordTypes.find(({ name }) => name === 'bot_storage') ?? assert.fail()
  const records = [
    { user_id: 1, key: 'k', value: 'ä'.repeat(9_000_000) },
    { user_id: 1, key: 'k'.repeat(1_100_000), value: '' },
  ]
  for (const record of records) {
    const content = Buffer.from(`${JSON.stringify(record)}\n`)
    const [read] = readRecords(type, content, 'records/bot_storage/000001.jsonl')
    assert.ok(read?.key === record.key && read.value === record.value)
  }
})
