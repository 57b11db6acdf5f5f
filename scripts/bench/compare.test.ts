import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compareFiles, compareResults } from './compare.ts'
import { type Result, readResults, writeResults } from './results.ts'

const send: Result = { bench: 'messages', name: 'a send', value: 100, unit: 'µs', better: 'less' }
const rate: Result = { bench: 'messages', name: 'sends', value: 1_000, unit: 'sends/s', better: 'more' }

test('a change is better or worse by its direction, and a small change counts as the same', () => {
  const verdictOf = (before: Result, value: number) =>
    compareResults([before], [{ ...before, value }]).map(({ verdict }) => verdict)[0]
  assert.equal(verdictOf(send, 120), 'worse')
  assert.equal(verdictOf(send, 80), 'better')
  assert.equal(verdictOf(rate, 1_200), 'better')
  assert.equal(verdictOf(rate, 800), 'worse')
  assert.equal(verdictOf(rate, 1_040), 'same')
})

test('compareResults lists the results that both runs have, with the largest regression first', () => {
  const other: Result = { ...send, name: 'a poll' }
  const changes = compareResults(
    [send, rate, other],
    [
      { ...rate, value: 900 },
      { ...other, value: 50 },
      { ...send, value: 180 },
      { ...send, name: 'new', value: 1 },
    ],
  )
  assert.deepEqual(
    changes.map(({ key, verdict }) => [key, verdict]),
    [
      ['messages: a send', 'worse'],
      ['messages: sends', 'worse'],
      ['messages: a poll', 'better'],
    ],
  )
})

test('results of the same name at different sizes are compared separately', () => {
  const at = (count: number, value: number): Result => ({ ...send, count, value })
  const changes = compareResults([at(10, 100), at(100, 100)], [at(10, 100), at(100, 200)])
  assert.deepEqual(
    changes.map(({ key, verdict }) => [key, verdict]),
    [
      ['messages: a send, at 100', 'worse'],
      ['messages: a send, at 10', 'same'],
    ],
  )
})

test('writeResults keeps the results of benchmarks that were not run again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oxbow-bench-'))
  try {
    const [before, after] = [join(folder, 'a.json'), join(folder, 'b.json')]
    writeResults(before, [send, rate])
    writeResults(after, [send, rate])
    writeResults(after, [{ ...send, value: 150 }])
    assert.deepEqual(
      readResults(after).results.map(({ value }) => value),
      [1_000, 150],
    )
    assert.match(compareFiles(before, after)[0] ?? '', /^worse +\+50 % {2}messages: a send: 100 → 150 µs$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
