import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGeneration } from './generations.ts'

test('a program gets the newest generation that is not newer than the one that it names', () => {
  for (const [header, generation] of [
    ['27', 27],
    ['371', 371],
    ['370', 27],
    ['421', 371],
    ['999999999', 371],
    ['0', 27],
  ] as const)
    assert.equal(readGeneration(header), generation, header)
})

test('without a readable number, a program gets the generation 27', () => {
  for (const header of [
    undefined,
    '',
    ' 371',
    '371, 371',
    '-371',
    '3.71e2',
    'latest',
    '9'.repeat(20),
    ['371'],
  ])
    assert.equal(readGeneration(header), 27, String(header))
})
