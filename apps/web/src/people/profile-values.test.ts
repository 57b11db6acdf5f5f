import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FieldType } from '@oxbow/contract/plain'
import { accountState } from '../client/store.ts'
import { listProfileValues } from './profile-values.ts'

after(() => {
  accountState.value = undefined
})

test('a date in a profile is the same day in every time zone of the reader', () => {
  for (const timezone of ['Pacific/Auckland', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
    const field = { id: 1, name: 'Birthday', type: FieldType.date, field_data: '' }
    accountState.value = { timezone, custom_profile_fields: [field] } as never
    assert.equal(listProfileValues({ 1: { value: '1990-05-17' } })[0]?.text, 'May 17, 1990', timezone)
    assert.equal(listProfileValues({ 1: { value: 'in May' } })[0]?.text, 'in May')
  }
})
