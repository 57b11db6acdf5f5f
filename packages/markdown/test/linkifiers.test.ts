import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledLinkifier, compileLinkifier, createRenderer } from '../src/index.ts'
import { matchLinkifierAt } from '../src/linkifiers/match.ts'
import { createRandom, type Random } from './support/random.ts'
import { maxMs, timeOf } from './support/timing.ts'

const invalidPattern = 'Invalid filter pattern.  Valid characters are [ a-zA-Z_#=/:+!-].'
const url = 'https://x.example/%(id)s'

function compiled(pattern: string, format = url): CompiledLinkifier {
  const result = compileLinkifier(pattern, format)
  if ('errors' in result) assert.fail(`${pattern} is refused: ${JSON.stringify(result.errors)}`)
  return result.linkifier
}

const accepted = [
  '#(?P<id>[0-9]+)',
  'JIRA-(?P<id>\\d+)',
  'a/b:c=d_(?P<id>\\w{2,8})',
  '(?P<id>[0-9a-f]{40})',
  'bug (?P<id>(?:x|y)+?)',
  '!(?P<id>[^ /]+)',
  'héllo-(?P<id>.)',
]

for (const pattern of accepted) {
  test(`the linkifier pattern ${pattern} is accepted`, () => {
    assert.ok('linkifier' in compileLinkifier(pattern, url))
  })
}

const refused: [why: string, pattern: string][] = [
  ['no named group', '#[0-9]+'],
  ['text after the last group', '#(?P<id>[0-9]+)x'],
  ['a character that is not allowed before a group', '$(?P<id>[0-9]+)'],
  ['an unnamed group', '#([0-9]+)'],
  ['an unclosed character class', '#(?P<id>[0-9+)'],
  ['a missing parenthesis', '#(?P<id>[0-9]+'],
  ['a back reference', '(?P<id>a)(?P<b>(?P=id))'],
  ['a numbered back reference', '(?P<id>(a)\\1)'],
  ['lookahead', '(?P<id>(?=a)b)'],
  ['lookbehind', '(?P<id>(?<=a)b)'],
  ['an anchor', '(?P<id>^a$)'],
  ['flags', '(?P<id>(?i)a)'],
  ['two groups with the same name', '(?P<id>a)(?P<id>b)'],
  ['too many repetitions', '(?P<id>a{1000})'],
  ['repetitions that multiply', '(?P<id>((a{50}){50}){50})'],
  ['a repeated repetition', '(?P<id>a**)'],
  ['more than 500 characters', `(?P<id>${'a'.repeat(600)})`],
]

for (const [why, pattern] of refused) {
  test(`a linkifier pattern is refused: ${why}`, () => {
    assert.deepEqual(compileLinkifier(pattern, url), { errors: { pattern: [invalidPattern] } })
  })
}

test('a linkifier with a blank field or an invalid URL is refused with its own error text', () => {
  assert.deepEqual(compileLinkifier(' ', ''), {
    errors: { pattern: ['This field cannot be blank.'], url_format_string: ['This field cannot be blank.'] },
  })
  assert.deepEqual(compileLinkifier('#(?P<id>a)', 'not a url %(id)s'), {
    errors: { url_format_string: ['Enter a valid URL.', 'Invalid URL format string.'] },
  })
  assert.deepEqual(compileLinkifier('#(?P<id>a)', 'https://x.example/'), {
    errors: { url_format_string: ['Invalid URL format string.'] },
  })
  assert.deepEqual(compileLinkifier('#(?P<id>a)', 'https://x.example/%(other)s'), {
    errors: { url_format_string: ['Invalid URL format string.'] },
  })
  assert.deepEqual(compileLinkifier('#(?P<id>a)', 'javascript:%(id)s'), {
    errors: { url_format_string: ['Enter a valid URL.', 'Invalid URL format string.'] },
  })
  assert.deepEqual(compileLinkifier('#(?P<id>a)', '%(id)s://x.example/'), {
    errors: { url_format_string: ['Enter a valid URL.', 'Invalid URL format string.'] },
  })
})

const catastrophic = [
  '(?P<id>(a+)+b)',
  '(?P<id>([a-z]+)*b)',
  '(?P<id>(a|a)*b)',
  '(?P<id>(a|aa)+b)',
  '(?P<id>(a|a?)+b)',
  '(?P<id>(.*)*b)',
  '(?P<id>(.*a){12}b)',
  '(?P<id>(x+x+)+y)',
  '(?P<id>(([a-z])+.)+[A-Z]([a-z])+b)',
  '(?P<id>a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaab)',
  '(?P<id>(a*)*(a*)*(a*)*b)',
  '(?P<id>(\\w+\\s?)*b)',
]
/** Texts that end with the characters that the patterns require, so that the matcher runs. */
const baits = [
  `${'a'.repeat(9990)} Zby`,
  `${'a '.repeat(4995)} Zby`,
  `${'x'.repeat(9990)} Zby`,
  `${'a,'.repeat(4995)}! Zby`,
  'ab'.repeat(5000),
]

for (const pattern of catastrophic) {
  test(`matching ${pattern}, which makes backtracking engines hang, takes bounded time`, () => {
    const { render } = createRenderer()
    const linkifiers = Array.from({ length: 10 }, () => compiled(pattern))
    for (const bait of baits) {
      const elapsed = timeOf(() => render(bait, { linkifiers }))
      assert.ok(elapsed < maxMs, `${elapsed} ms`)
    }
  })
}

test('the linkifier matcher finds the same matches as a backtracking engine', () => {
  const random = createRandom(7)
  let matches = 0
  for (let round = 0; round < 3000; round++) {
    const inner = randomPattern(random, 3)
    const result = compileLinkifier(`#(?P<id>${inner})`, url)
    if ('errors' in result) continue
    const native = new RegExp(`#(?<id>${inner})(?![\\p{L}\\p{N}_])`, 'uy')
    const text = `#${Array.from({ length: random.below(9) }, () => random.pick([...'aab1 -'])).join('')}`
    const found = matchLinkifierAt(result.linkifier, text, 0, { linkifierSteps: 1e6 })
    const expected = native.exec(text)
    assert.equal(found && text.slice(0, found.end), expected?.[0], `${inner} on ${text}`)
    assert.equal(found?.groups.get('id'), expected?.groups?.id, `${inner} on ${text}`)
    if (expected) matches++
  }
  assert.ok(matches > 500, `only ${matches} of the patterns matched anything`)
})

test('a linkifier requires the characters that every match contains', () => {
  const required = (pattern: string) => compiled(pattern).required.toSorted().join('')

  assert.equal(required('#(?P<id>[0-9]+)'), '#')
  assert.equal(required('(?P<org>[a-z]+)/(?P<id>(?:ab|bc)+x{0,2})'), '/b')
  assert.equal(required('(?P<id>[ab]|c)'), '')
})

test('linkifiers that cannot match a text use none of the step limit', () => {
  const { render } = createRenderer()
  const unrelated = Array.from({ length: 20 }, () => compiled('(?P<id>[a-z]+)(?P<unit>%)'))
  const text = `${'garden '.repeat(1_400)}#12`

  assert.match(render(text, { linkifiers: [...unrelated, compiled('#(?P<id>[0-9]+)')] }).html, />#12<\/a>/)
})

test('a match takes the same number of steps after the round counter wraps', () => {
  const linkifier = compiled('#(?P<id>(?:a|a)*b)')
  const steps = () => {
    const budget = { linkifierSteps: 1e5 }
    assert.equal(matchLinkifierAt(linkifier, '#aaaaaaaaaab', 0, budget)?.end, 12)
    return 1e5 - budget.linkifierSteps
  }
  const before = steps()

  linkifier.program.round = 2 ** 32 - 5

  assert.equal(steps(), before)
  assert.equal(steps(), before)
})

function randomPattern(random: Random, depth: number): string {
  const atoms = ['a', 'b', '1', '[ab]', '[^a]', '\\d', '.', '[a-b1]', '\\.']
  const one = () => {
    const atom =
      depth > 0 && random.chance(0.4) ? `(?:${randomPattern(random, depth - 1)})` : random.pick(atoms)
    // Engines differ in the meaning of repeating an empty match, so atoms that match nothing are
    // not repeated.
    if (new RegExp(`^(?:${atom})$`, 'u').test('')) return atom
    return atom + random.pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?', '??'])
  }
  const sequence = () => Array.from({ length: 1 + random.below(3) }, one).join('')
  return random.chance(0.3) ? `${sequence()}|${sequence()}` : sequence()
}
