import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { encode } from '../plain/encode.ts'
import { decode } from './decode.ts'
import { endpoint, listRaisableErrors } from './endpoint.ts'
import { bytesPerMebibyte } from './files.ts'
import { text } from './params.ts'
import { toWire } from './to-wire.ts'

const about = 'A value.'

const withFiles = endpoint({
  summary: 'Takes a file.',
  method: 'POST',
  path: '/file',
  auth: 'user',
  params: { note: text(z.string(), about) },
  files: { maxFiles: 1, maxBytes: bytesPerMebibyte },
  response: {},
  errors: [],
})
const withoutFiles = { ...withFiles, files: undefined }
const files = [{ name: 'a.png', bytes: new Uint8Array([1, 2]) }]
const plainRequest = { path: {}, arguments: new Map([['note', 'x']]) }
const request = { ...plainRequest, files }

test('decoding passes files only to endpoints that accept them', () => {
  assert.deepEqual(decode(withFiles, request), { note: 'x', files })
  assert.deepEqual(decode(withFiles, plainRequest), { note: 'x', files: [] })
  assert.deepEqual(decode(withoutFiles, request), { note: 'x' })
})

test('encoding a request includes the given files', () => {
  assert.deepEqual(encode(toWire(withFiles), { note: 'x', files }).files, files)
  assert.deepEqual(encode(toWire(withoutFiles), { note: 'x' }).files, [])
})

test('endpoints that accept files can raise FILE_TOO_LARGE', () => {
  assert.ok(listRaisableErrors(withFiles).has('FILE_TOO_LARGE'))
  assert.ok(!listRaisableErrors(withoutFiles).has('FILE_TOO_LARGE'))
})
