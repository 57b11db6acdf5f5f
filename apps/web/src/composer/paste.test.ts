import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountState } from '../client/store.ts'
import { listFiles } from './paste.ts'

after(() => {
  accountState.value = undefined
})

test('a picture from the clipboard is named after the time in the time zone of the account', (t) => {
  t.mock.method(Date, 'now', () => Date.parse('2026-11-16T20:30:00Z'))
  accountState.value = { timezone: 'Asia/Tokyo' } as never
  const files = [new File(['x'], 'image.png', { type: 'image/png' }), new File(['x'], 'rose.png')]
  assert.deepEqual(
    listFiles({ files } as never).map(({ name }) => name),
    ['2026-11-17 05.30.00.png', 'rose.png'],
  )
})
