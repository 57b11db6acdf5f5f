import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { endpoint, raisable } from './endpoint.ts'
import { bytesPerMebibyte } from './files.ts'
import { text } from './params.ts'

const withFiles = endpoint({
  summary: 'Takes a file.',
  method: 'POST',
  path: '/file',
  auth: 'user',
  params: { note: text(z.string()) },
  files: { most: 1, maxBytes: bytesPerMebibyte },
  response: {},
  errors: [],
})
const withoutFiles = { ...withFiles, files: undefined }
const files = [{ name: 'a.png', bytes: new Uint8Array([1, 2]) }]
const request = { path: {}, arguments: new Map([['note', 'x']]), files }

test('files reach the actions of endpoints that take them, and no others', () => {
  assert.deepEqual(decode(withFiles, request), { note: 'x', files })
  assert.deepEqual(decode(withFiles, { ...request, files: undefined }), { note: 'x', files: [] })
  assert.deepEqual(decode(withoutFiles, request), { note: 'x' })
})

test('a client sends the files that it was given', () => {
  assert.deepEqual(encode(withFiles, { note: 'x', files }).files, files)
  assert.deepEqual(encode(withoutFiles, { note: 'x' }).files, [])
})

test('where there are files they may be too large', () => {
  assert.ok(raisable(withFiles).has('FILE_TOO_LARGE'))
  assert.ok(!raisable(withoutFiles).has('FILE_TOO_LARGE'))
})
