import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../api-error.ts'
import { decode } from '../kernel/decode.ts'
import type { RawValue } from '../kernel/params.ts'
import { toWire } from '../kernel/to-wire.ts'
import { encode } from '../plain/encode.ts'
import * as messages from './endpoints.ts'

const read = (narrow?: RawValue) => {
  const narrows: [string, RawValue][] = [
    ['num_before', '1'],
    ['num_after', '0'],
    ...(narrow === undefined ? [] : [['narrow', narrow] as [string, RawValue]]),
  ]
  return decode(messages.list, { path: {}, arguments: new Map(narrows) }).narrow
}

test('a narrow accepts terms as objects and as pairs', () => {
  const narrows = [
    { operator: 'stream', operand: 5 },
    { operator: 'stream', operand: '5', negated: true, colour: 'red' },
    { operator: 'pm-with', operand: [7, 9] },
    { operator: 'pm-with', operand: 'iris@garden.example,otto@garden.example' },
    { operator: 'pm_with', operand: 'iris@garden.example' },
    { operator: 'weather', operand: '' },
    ['topic', 'roses'],
  ]
  const terms = [
    { operator: 'stream', operand: 5, negated: false },
    { operator: 'stream', operand: '5', negated: true },
    { operator: 'pm-with', operand: [7, 9], negated: false },
    { operator: 'pm-with', operand: 'iris@garden.example,otto@garden.example', negated: false },
    { operator: 'pm_with', operand: 'iris@garden.example', negated: false },
    { operator: 'weather', operand: '', negated: false },
    { operator: 'topic', operand: 'roses', negated: false },
  ]

  assert.deepEqual(read(JSON.stringify(narrows)), terms)
  assert.deepEqual(read({ parsed: narrows }), terms)
  assert.deepEqual([read('[]'), read()], [[], []])
})

/** Values that are reported with the error code for bad values. */
const badValues = ['roses', '{}', 'null', '7', '[7]', '[null]', '["topic"]', '[["topic"]]', '[["stream",5]]']
for (const narrows of [...badValues, '[["topic","roses","moss"]]', '[1.0]', '["a","b"]']) {
  test(`a narrow refuses a bad value: ${narrows}`, () => {
    const expected = {
      result: 'error',
      msg: `Bad value for 'narrow': ${narrows}`,
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'narrow',
      bad_value: narrows,
    }
    assert.throws(() => read(narrows), { body: expected })
  })
}

test('a bad narrow in a JSON body is quoted as JSON in the error', () => {
  assert.throws(
    () => read({ parsed: { operator: 'stream' } }),
    (error: ApiError) => error.body.bad_value === '{"operator":"stream"}',
  )
})

const long = 'x'.repeat(10_001)
const refusals: [object, string][] = [
  [{}, 'operator key is missing from elem'],
  [{ operand: 'x' }, 'operator key is missing from elem'],
  [{ operator: 'stream' }, 'operand key is missing from elem'],
  [{ operator: 'pm-with' }, 'operand key is missing from elem'],
  [{ operator: 'search' }, 'operand key is missing from elem'],
  [{ operator: 'weather' }, 'operand key is missing from elem'],
  [{ operator: 5, operand: 'x' }, 'elem["operator"] is not a string'],
  [{ operator: 'stream', operand: [] }, 'elem["operand"] is not a string or integer'],
  [{ operator: 'sender', operand: 1.5 }, 'elem["operand"] is not a string or integer'],
  [{ operator: 'group-pm-with', operand: null }, 'elem["operand"] is not a string or integer'],
  [{ operator: 'pm-with', operand: 5 }, 'elem["operand"] is not a string or an integer list'],
  [{ operator: 'pm-with', operand: [5, 'x'] }, 'elem["operand"][1] is not an integer'],
  [{ operator: 'search', operand: ' ' }, 'elem["operand"] cannot be blank.'],
  [{ operator: 'search', operand: 5 }, 'elem["operand"] is not a string'],
  [['search', ''], 'elem["operand"] cannot be blank.'],
  [{ operator: 'topic', operand: 5 }, 'elem["operand"] is not a string'],
  [{ operator: 'pm_with', operand: [5] }, 'elem["operand"] is not a string'],
  [{ operator: 'topic', operand: 'x', negated: 1 }, 'elem["negated"] is not a boolean'],
  [{ operator: 'topic', operand: long }, 'elem["operand"] is too long (limit: 10000 characters)'],
  [{ operator: 'stream', operand: long }, 'elem["operand"] is too long (limit: 10000 characters)'],
  [{ operator: 'pm-with', operand: long }, 'elem["operand"] is too long (limit: 10000 characters)'],
  [
    { operator: 'pm-with', operand: Array(10_001).fill(1) },
    'elem["operand"] has too many items (limit: 10000)',
  ],
]
for (const [narrow, msg] of refusals) {
  test(`a narrow refuses an invalid term with an explanation: ${JSON.stringify(narrow).slice(0, 60)}`, () => {
    const body = { result: 'error', code: 'BAD_REQUEST', msg }
    assert.throws(() => read(JSON.stringify([['topic', 'fine'], narrow])), { body })
  })
}

test('a narrow refuses too many terms and reports the first error', () => {
  const term = { operator: 'topic', operand: 'roses' }

  assert.equal(read(JSON.stringify(Array(100).fill(term))).length, 100)
  assert.throws(() => read(JSON.stringify(Array(101).fill(term))), {
    message: 'narrow has too many items (limit: 100)',
  })
  assert.throws(() => read('[{"operator":"topic"},7]'), { message: 'operand key is missing from elem' })
})

test('a narrow survives encoding and decoding', () => {
  const narrow = [
    { operator: 'pm-with', operand: [7, 9] },
    { operator: 'topic', operand: 'roses', negated: true },
  ]

  const encoded = encode(toWire(messages.list), { anchor: 'newest', num_before: 5, num_after: 0, narrow })

  assert.deepEqual(decode(messages.list, { path: {}, arguments: new Map(encoded.arguments) }), {
    anchor: 'newest',
    anchor_date: undefined,
    num_before: 5,
    num_after: 0,
    narrow: [
      { operator: 'pm-with', operand: [7, 9], negated: false },
      { operator: 'topic', operand: 'roses', negated: true },
    ],
    use_first_unread_anchor: false,
    client_external_avatar: false,
    apply_markdown: true,
  })
})
