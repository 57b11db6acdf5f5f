import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceFile } from '../import-arrows.ts'
import type { AllowedPattern } from './allowed-patterns.ts'
import { findForbiddenPatterns, listSlowPatterns } from './slow-patterns.ts'

const path = 'apps/server/src/a.ts'
const findSlowPatterns = (files: SourceFile[], allowed: AllowedPattern[]) =>
  findForbiddenPatterns(files.flatMap(listSlowPatterns), allowed)
const find = (pattern: RegExp) => findSlowPatterns([{ path, text: `const a = ${pattern}` }], [])

const slow = [
  // Every end of one part is tried with every end of the next one.
  /^\s*([^=]*)=$/,
  /^\d+\w*$/,
  /^(ab)*(ab)*$/,
  /^(?:a|b)*c?(?:a|b)*$/,
  // Every start is tried.
  /\/+$/,
  /<[^>]+>/g,
  /"(?:[^"\\]|\\.)*"/g,
  /\[!?\][^\]]*\]|\[!?[^\]]+\]|[\s\S]/gu,
  /#\*\*.*>/,
  /a(?=.*b)/,
  /(?<=a.*)\n/g,
  /\bfrom .* to\b/,
  /\d(?!\d+)/,
  /(?<!\w+-?)\w/g,
  // An assertion fails after each number of repetitions.
  /\d+(?=px)/,
  /\w+(?<=\d\d)/,
  /\B(?=(\d{3})+(?!\d))/g,
  // The search goes on behind an empty or short match.
  /^\s*|\s+$/g,
  /(?:\w+:)?/g,
  // Each limit is low, but there are very many ways to divide a text.
  /^(?:[\w-]{1,63}\.?){1,8}$/,
  // Exponential.
  /^(?:a+)+$/,
  /^(?:a*)*$/,
  /^(?:a|ab|b)*$/,
  /^(?:\w\s?)*$|^(?:a|a)*$/,
  // A dot does not match a line separator.
  /^- +(.*)$/,
  /[[\p{L}]--[a-z]]+x/v,
]

const fast = [
  /^([^=]*)=$/,
  /^\d+[a-z]*$/,
  /^\s+/,
  /(?<!\/)\/+$/,
  /\/+/g,
  /<[^<>]+>/g,
  /"(?:[^"\\]|\\.)*"?/g,
  /^- +(.*)$/s,
  /--.*$/gm,
  /\ba+b/,
  /^(?:[^\s/]+\/)*$/,
  /^[\w.-]+@[a-z]+$/,
  /a{1,100}b/,
  /\s+$/y,
  /(?<![a-z])[a-z]+\d/,
  /^(?:a|b)*$/,
  /^\w+(?: \w+)*$/,
  /^(?:\w+:)?/,
  /\d+(?!px)/,
  /\d{1,3}(?=px)/,
  /^\s+|(?<!\s)\s+$/g,
  /^(?:\d{1,2}){3}x/,
  /^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/,
]

test('patterns that take quadratic or exponential time are reported', () => {
  for (const pattern of slow) assert.equal(find(pattern).length, 2, String(pattern))
})

test('patterns that take linear time are not reported', () => {
  for (const pattern of fast) assert.deepEqual(find(pattern), [], String(pattern))
})

test('a report has the file, line, pattern and a slow text', () => {
  const text = 'const b = 1\nconst a = /^a+a*$/'
  const [report] = findSlowPatterns([{ path, text }], [])
  assert.equal(report, `${path}:2: /^a+a*$/ is slow for "aa" + "a".repeat(n) + "0"`)
})

test('texts that are given to RegExp are checked too, with constants of the file', () => {
  const text = ["const letter = 'a'", 'const b = new RegExp(`^$' + '{letter}+$' + "{other}*$`, 'u')"].join(
    '\n',
  )
  assert.deepEqual(findSlowPatterns([{ path, text }], []), [])
  assert.equal(findSlowPatterns([{ path, text: text.replace('other', 'letter') }], []).length, 2)
})

test('a pattern that cannot be parsed is reported with its place', () => {
  const text = "const a = new RegExp('(?i:a)+$')"
  const [report = ''] = findSlowPatterns([{ path, text }], [])
  assert.match(report, /^apps\/server\/src\/a\.ts:1: \/\(\?i:a\)\+\$\/ cannot be checked \(/)
})

test('an allowed pattern is not reported, and an entry that is not needed is', () => {
  const files = [{ path, text: 'const a = /a+$/' }]
  const allowed = { path, pattern: '/a+$/', why: 'a constant' }
  assert.deepEqual(findSlowPatterns(files, [allowed]), [])
  assert.equal(findSlowPatterns(files, [{ ...allowed, path: 'b.ts' }]).length, 3)
  assert.deepEqual(findSlowPatterns([], [allowed]), [
    `${path}: /a+$/ is not slow, or gone; remove it from allowed-patterns.ts`,
  ])
})
