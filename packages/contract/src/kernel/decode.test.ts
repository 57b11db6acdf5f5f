import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { decode } from './decode.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import * as param from './params.ts'
import * as schema from './schemas.ts'

const about = 'A value.'

/** An endpoint with the one parameter `V`, because the protocol's error texts use that name. */
const endpointWith = (V: param.Param): Endpoint =>
  endpoint({
    summary: '',
    method: 'POST',
    path: '/',
    auth: 'nobody',
    params: { V },
    response: {},
    errors: [],
  })

const decodeOne = (V: param.Param, raw?: param.RawValue): unknown =>
  decode(endpointWith(V), { path: {}, arguments: new Map(raw === undefined ? [] : [['V', raw]]) }).V

function refusal(V: param.Param, raw?: param.RawValue): ApiError {
  try {
    const value = decodeOne(V, raw)
    assert.fail(`took ${JSON.stringify(raw)} as ${JSON.stringify(value)}`)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const { json } = param
const item = z.strictObject({ id: z.int(), value: z.union([z.int(), z.string(), z.array(z.int())]) })

/** The protocol's error texts for values that can be decoded but are invalid. */
const texts: [string, param.Param, string, string][] = [
  ['string', json(z.string(), about), '5', 'V is not a string'],
  ['non-blank string', json(schema.nonBlank(), about), '"  "', 'V cannot be blank.'],
  ['non-blank string of another type', json(schema.nonBlank(), about), '5', 'V is not a string'],
  ['string from a set', json(schema.oneOfStrings(['add', 'remove']), about), '"put"', 'Invalid V'],
  ['string from a set, of another type', json(schema.oneOfStrings(['add']), about), '1', 'V is not a string'],
  ['integer from a set', json(schema.oneOfIntegers([100, 200]), about), '300', 'Invalid V'],
  [
    'integer from a set, of another type',
    json(schema.oneOfIntegers([100]), about),
    '"100"',
    'V is not an integer',
  ],
  [
    'string that is too long',
    json(schema.maxCharacters(3), about),
    '"four"',
    'V is too long (limit: 3 characters)',
  ],
  ['integer', json(z.int(), about), '"1"', 'V is not an integer'],
  ['integer with a fraction', json(z.int(), about), '1.5', 'V is not an integer'],
  ['integer written as a float', json(z.int(), about), '1.0', 'V is not an integer'],
  ['integer with an exponent', json(z.int(), about), '1e3', 'V is not an integer'],
  ['integer beyond the safe range', json(z.int(), about), '9007199254740993', 'V is not an integer'],
  ['boolean instead of an integer', json(z.int(), about), 'true', 'V is not an integer'],
  ['float', json(schema.float(), about), '"1"', 'V is not a float'],
  ['boolean', json(z.boolean(), about), '1', 'V is not a boolean'],
  ['string or integer', json(schema.stringOrInteger(), about), '[]', 'V is not a string or integer'],
  [
    'string or integer list',
    json(schema.stringOrIntegerList(), about),
    '["a"]',
    'V is not a string or an integer list',
  ],
  ['one of several types', json(z.union([z.int(), z.string()]), about), '{}', 'V is not an allowed_type'],
  ['list', json(z.array(z.int()), about), '{}', 'V is not a list'],
  [
    'list of the wrong length',
    json(schema.listOf(z.int(), 2), about),
    '[1]',
    'V should have exactly 2 items',
  ],
  ['item of a list', json(z.array(z.int()), about), '[1,"x"]', 'V[1] is not an integer'],
  ['object', json(item, about), '[]', 'V is not a dict'],
  ['map', json(z.record(z.string(), z.unknown()), about), '3', 'V is not a dict'],
  ['missing key', json(item, about), '{"id":1}', 'value key is missing from V'],
  ['missing key in a list', json(z.array(item), about), '[{"value":1}]', 'id key is missing from V[0]'],
  [
    'member of an item',
    json(z.array(item), about),
    '[{"id":1,"value":{}}]',
    'V[0]["value"] is not an allowed_type',
  ],
  ['unknown keys', json(item, about), '{"id":1,"value":1,"a":1,"b":2}', 'Unexpected arguments: a, b'],
  [
    'invalid member before unknown keys',
    json(item, about),
    '{"id":"x","value":1,"a":1}',
    'V["id"] is not an integer',
  ],
  ['map of strings', json(schema.stringMap(), about), '{"a":1}', 'V contains a value that is not a string'],
  ['date', json(schema.date(), about), '"2026-02-30"', 'V is not a date'],
  ['URL', json(schema.url(), about), '"example.com"', 'V is not a URL'],
  ['URL of another scheme', json(schema.url(), about), '"javascript:alert(1)"', 'V is not a URL'],
  [
    'URL that is too long',
    json(schema.url(), about),
    JSON.stringify(`https://garden.example/${'a'.repeat(2_026)}`),
    'V is too long (limit: 2048 characters)',
  ],
  ['colour', json(schema.color(), about), '"#12"', 'V is not a valid hex color code'],
  ['text in a JSON body', param.text(z.string(), about), '', 'V is not a string'],
]

for (const [name, V, raw, msg] of texts) {
  test(`decoding an invalid value raises an error with the text of the protocol: ${name}`, () => {
    const error = refusal(V, raw === '' ? { parsed: 5 } : raw)
    assert.deepEqual(error.body, { result: 'error', code: 'BAD_REQUEST', msg })
    assert.equal(error.status, 400)
  })
}

/** Other errors that decoding a parameter can raise. */
const refusals: [string, param.Param, param.RawValue | undefined, object][] = [
  [
    'missing value',
    json(z.int(), about),
    undefined,
    { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'V' argument", var_name: 'V' },
  ],
  [
    'unquoted word instead of JSON',
    json(z.boolean(), about),
    'perhaps',
    { code: 'BAD_REQUEST', msg: 'Argument "V" is not valid JSON.' },
  ],
  ['empty JSON', json(z.int(), about), '', { code: 'BAD_REQUEST', msg: 'Argument "V" is not valid JSON.' }],
  [
    'JSON that nests too deeply',
    json(z.unknown(), about),
    `${'['.repeat(101)}${']'.repeat(101)}`,
    { code: 'BAD_REQUEST', msg: 'Argument "V" is not valid JSON.' },
  ],
  [
    'NaN',
    json(schema.float(), about),
    'NaN',
    { code: 'BAD_REQUEST', msg: 'Argument "V" is not valid JSON.' },
  ],
  [
    'negative for a non-negative integer',
    param.nonNegativeInteger(z.int(), about),
    '-1',
    { code: 'REQUEST_VARIABLE_INVALID', msg: "Bad value for 'V': -1", var_name: 'V', bad_value: '-1' },
  ],
  [
    'too large for a non-negative integer',
    param.nonNegativeInteger(z.int(), about),
    '4294967296',
    {
      code: 'REQUEST_VARIABLE_INVALID',
      msg: "Bad value for 'V': 4294967296",
      var_name: 'V',
      bad_value: '4294967296',
    },
  ],
  [
    'invalid JSON for a converted parameter',
    param.convertedJson(z.record(z.string(), z.unknown()), about),
    '{',
    { code: 'REQUEST_VARIABLE_INVALID', msg: "Bad value for 'V': {", var_name: 'V', bad_value: '{' },
  ],
  [
    'a sign alone for a non-negative integer',
    param.nonNegativeInteger(z.int(), about),
    '+',
    { code: 'REQUEST_VARIABLE_INVALID', msg: "Bad value for 'V': +", var_name: 'V', bad_value: '+' },
  ],
  [
    'NUL in text',
    param.text(z.string(), about),
    'a\0b',
    { code: 'BAD_REQUEST', msg: 'Argument "V" contains a NUL character.' },
  ],
  [
    'NUL inside JSON',
    json(z.array(z.string()), about),
    '["a\\u0000"]',
    { code: 'BAD_REQUEST', msg: 'Argument "V" contains a NUL character.' },
  ],
]

for (const [name, V, raw, body] of refusals) {
  test(`decoding refuses a parameter: ${name}`, () => {
    assert.deepEqual(refusal(V, raw).body, { result: 'error', ...body })
  })
}

const longestUrl = `https://garden.example/${'a'.repeat(2_025)}`

/** Accepted values, and the results of decoding them. */
const accepted: [string, param.Param, param.RawValue | undefined, unknown][] = [
  ['plain text with quotes', param.text(z.string(), about), '"quoted"', '"quoted"'],
  ['quotable text, raw', param.quotableText(z.string(), about), 'Iris', 'Iris'],
  ['quotable text, quoted', param.quotableText(z.string(), about), '"Iris \\u00e9"', 'Iris é'],
  ['quotable text that only looks quoted', param.quotableText(z.string(), about), '"Iris', '"Iris'],
  ['quotable text that is JSON but not a string', param.quotableText(z.string(), about), '[1]', '[1]'],
  ['JSON text in a form', json(z.array(z.int()), about), '[1, 2]', [1, 2]],
  ['a value of a JSON body', json(z.array(z.int()), about), { parsed: [1, 2] }, [1, 2]],
  [
    'JSON at maximum depth',
    json(
      z.unknown().transform(() => 1),
      about,
    ),
    `${'['.repeat(100)}${']'.repeat(100)}`,
    1,
  ],
  ['brackets in a string', json(z.string(), about), JSON.stringify('["\\['.repeat(200)), '["\\['.repeat(200)],
  ['an absent parameter with a default', json(z.boolean().default(true), about), undefined, true],
  ['an absent optional parameter', json(z.boolean().optional(), about), undefined, undefined],
  ['a float', json(schema.float(), about), '1.5', 1.5],
  ['a whole number written as a float', json(schema.float(), about), '1.0', 1],
  ['an integer for a float', json(schema.float(), about), '1', 1],
  ['zero', param.nonNegativeInteger(z.int(), about), '0', 0],
  ['the largest integer', param.nonNegativeInteger(z.int(), about), '4294967295', 4294967295],
  ['a number with a sign and blanks', param.nonNegativeInteger(z.int(), about), ' +7 ', 7],
  ['JSON or text: a number', param.jsonOrText(z.unknown(), about), '42', 42],
  ['JSON or text: a quoted number', param.jsonOrText(z.unknown(), about), '"42"', '42'],
  ['JSON or text: a list', param.jsonOrText(z.unknown(), about), '["a",1]', ['a', 1]],
  ['JSON or text: a word', param.jsonOrText(z.unknown(), about), 'garden', 'garden'],
  ['JSON or text: words with commas', param.jsonOrText(z.unknown(), about), '[roses], moss', '[roses], moss'],
  ['JSON or text: an empty text', param.jsonOrText(z.unknown(), about), '', ''],
  ['JSON or text: absent', param.jsonOrText(z.unknown(), about), undefined, undefined],
  ['JSON or text: a text in a JSON body', param.jsonOrText(z.unknown(), about), { parsed: '42' }, '42'],
  ['a text whose length is counted in code points', json(schema.maxCharacters(2), about), '"🌊🌊"', '🌊🌊'],
  ['a URL of maximum length', param.text(schema.url(), about), longestUrl, longestUrl],
  ['a URL without a path', param.text(schema.url(), about), 'ftps://x', 'ftps://x'],
  ['a URL with a query after the host', param.text(schema.url(), about), 'HTTP://x?y#z', 'HTTP://x?y#z'],
  ['a date with single digits', json(schema.date(), about), '"2026-2-3"', '2026-2-3'],
  ['29 February of a leap year', json(schema.date(), about), '"2024-02-29"', '2024-02-29'],
  ['a text with an escaped backslash', json(z.string(), about), '"\\\\u0000"', '\\u0000'],
]

for (const [name, V, raw, value] of accepted) {
  test(`decoding accepts a parameter: ${name}`, () => {
    assert.deepEqual(decodeOne(V, raw), value)
  })
}

test('decoding accepts an alias, and refuses name and alias together', () => {
  const withAlias = endpointWith(param.text(z.string(), about, { alias: 'W' }))
  const read = (...names: string[]) =>
    decode(withAlias, { path: {}, arguments: new Map(names.map((name) => [name, 'x'])) })

  assert.deepEqual(read('W'), { V: 'x' })
  assert.throws(() => read('V', 'W'), {
    body: {
      result: 'error',
      code: 'REQUEST_CONFUSING_VAR',
      msg: "Can't decide between 'V' and 'W' arguments",
      var_name1: 'V',
      var_name2: 'W',
    },
  })
})

test('decoding accepts legacy names only from clients of the older product', () => {
  const withAlias = endpointWith(param.text(z.string().optional(), about, { legacyAlias: 'old' }))
  const request = { path: {}, arguments: new Map([['old', 'x']]) }

  assert.deepEqual(decode(withAlias, request), { V: undefined })
  assert.deepEqual(decode(withAlias, request, { legacyNames: true }), { V: 'x' })
})

test('decoding follows the order of declaration and stops at the first error', () => {
  const withAlias = endpoint({
    summary: '',
    method: 'POST',
    path: '/{id}',
    auth: 'nobody',
    params: { id: param.path(z.int(), about), first: json(z.int(), about), second: json(z.int(), about) },
    response: {},
    errors: [],
  })
  const request = { path: { id: '99999999999999999999' }, arguments: new Map([['second', 'x']]) }

  assert.throws(() => decode(withAlias, request), /Missing 'first' argument/)
  const complete = {
    ...request,
    arguments: new Map([
      ['first', '1'],
      ['second', '2'],
    ]),
  }
  assert.deepEqual(decode(withAlias, complete), { id: Number.MAX_SAFE_INTEGER, first: 1, second: 2 })
})

test('decoding replaces lone surrogates in texts, keys and lists', () => {
  const names = json(z.array(z.string()), about)

  assert.deepEqual(decodeOne(names, '["\\ud83c","ok \\udf31 ok"]'), ['\ufffd', 'ok \ufffd ok'])
  assert.deepEqual(decodeOne(names, '["\\ud83c\\udf31"]'), ['🌱'])
  assert.deepEqual(decodeOne(json(z.unknown(), about), { parsed: { a: ['\ud83c'] } }), { a: ['\ufffd'] })
  assert.equal(decodeOne(param.quotableText(z.string(), about), '"\\uDF31"'), '\ufffd')
})

test('decoding refuses a long text that only begins like a URL in little processor time', () => {
  const text = `http://${'a'.repeat(60_000)} `
  const began = process.threadCpuUsage()
  assert.equal(schema.url().safeParse(text).success, false)
  assert.ok(process.threadCpuUsage(began).user < 500_000)
})
