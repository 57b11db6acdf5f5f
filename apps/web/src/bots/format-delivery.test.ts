import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, formatBody, formatFields, formatHeaders, maxShownCharacters } from './format-delivery.ts'

test('JSON is indented without changing numbers, escapes or the order of fields', () => {
  const body = '{"b":12345678901234567890,"a":["\\u00e4, {x}",{} , [ ]],"2":1e2}'
  assert.deepEqual(formatBody(body, 'application/json'), {
    text: '{\n  "b": 12345678901234567890,\n  "a": [\n    "\\u00e4, {x}",\n    {},\n    []\n  ],\n  "2": 1e2\n}',
    isCut: false,
  })
})

test('texts that are not JSON stay as they are', () => {
  for (const body of ['', 'hello', '{"a":1', '[1,]', '"quoted"', '<b>{}</b>'])
    assert.equal(formatBody(body).text, body)
})

test('fields of queries and forms are decoded, and JSON in them is indented', () => {
  assert.equal(formatFields('stream=rose%20beds&topic=a%26b').text, 'stream = rose beds\ntopic = a&b')
  assert.equal(
    formatBody('payload=%7B%22a%22%3A1%7D&x=', 'application/x-www-form-urlencoded; charset=utf-8').text,
    'payload = {\n  "a": 1\n}\nx = ',
  )
  assert.equal(formatHeaders({ 'user-agent': 'Roses/1.0', x: 'y' }).text, 'user-agent: Roses/1.0\nx: y')
})

test('long and deeply nested bodies are cut soon', () => {
  const bodies = [
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    JSON.stringify({ text: 'x'.repeat(5_000_000) }),
    JSON.stringify(Array.from({ length: 200_000 }, () => 1)),
    `{${'"a":{'.repeat(50_000)}${'}'.repeat(50_001)}`,
    'y'.repeat(5_000_000),
    'a=b&'.repeat(1_000_000),
  ]
  for (const body of bodies) {
    const { text, isCut } = formatBody(body, body.startsWith('a=') ? 'application/x-www-form-urlencoded' : '')
    assert.ok(isCut && text.length <= maxShownCharacters)
  }
})

test('a cut text has no half characters', () => {
  assert.deepEqual(cutText('a🌹', 2), { text: 'a\ufffd', isCut: true })
  assert.deepEqual(cutText('a🌹', 3), { text: 'a🌹', isCut: false })
})
