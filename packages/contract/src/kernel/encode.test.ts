import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { encode } from '../plain/encode.ts'
import { decode } from './decode.ts'
import { endpoint } from './endpoint.ts'
import { json, jsonOrText, nonNegativeInteger, path, quotableText, text, textPath } from './params.ts'
import { toWire } from './to-wire.ts'

const about = 'A value.'

const everyKind = endpoint({
  summary: '',
  method: 'PATCH',
  path: '/things/{id}/part/{name}',
  auth: 'nobody',
  params: {
    id: path(z.int(), about),
    name: textPath(z.string(), about),
    raw: text(z.string(), about),
    list: json(z.array(z.union([z.int(), z.string()])), about),
    flag: json(z.boolean().default(false), about),
    count: nonNegativeInteger(z.int().optional(), about),
    to: jsonOrText(z.unknown() as z.ZodType<unknown, string | number | readonly string[]>, about),
  },
  response: {},
  errors: [],
})

test('decoding an encoded request returns the same values', () => {
  const withoutNul = fc.string({ unit: 'binary' }).filter((s) => s.isWellFormed() && !s.includes('\0'))
  const values = fc.record(
    {
      id: fc.maxSafeNat(),
      name: withoutNul,
      raw: withoutNul,
      list: fc.array(fc.oneof(fc.maxSafeInteger(), withoutNul)),
      flag: fc.boolean(),
      count: fc.nat(2 ** 32 - 1),
      to: fc.oneof(fc.maxSafeInteger(), withoutNul, fc.json(), fc.array(withoutNul)),
    },
    { requiredKeys: ['id', 'name', 'raw', 'list', 'flag', 'to'] },
  )
  fc.assert(
    fc.property(values, (params) => {
      const encoded = encode(toWire(everyKind), params)
      const [, id = '', name = ''] = /^\/things\/(\d+)\/part\/([^/]*)$/.exec(encoded.path) ?? []
      // Writes and parses the form as text, as on the wire.
      const form = new Map(new URLSearchParams(encoded.arguments.toString()))
      const decoded = decode(everyKind, { path: { id, name: decodeURIComponent(name) }, arguments: form })
      assert.deepEqual({ ...decoded }, { count: undefined, ...params })
    }),
    { numRuns: 1_000 },
  )
})

test('quotable text that begins with a quote survives encoding', () => {
  const named = endpoint({ ...everyKind, path: '/', params: { name: quotableText(z.string(), about) } })
  for (const name of ['"Iris"', '"', 'Iris', '""', '"\\u0041"']) {
    const { arguments: form } = encode(toWire(named), { name })
    assert.deepEqual(decode(named, { path: {}, arguments: new Map(form) }), { name })
  }
})
