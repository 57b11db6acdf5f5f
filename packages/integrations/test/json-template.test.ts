import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Integration } from '../src/kernel/integration.ts'
import { translate } from '../src/kernel/translate.ts'
import { service } from '../src/services/json/index.ts'
import { prettyJson, shortJson } from '../src/services/json/pretty.ts'

function send(payload: unknown, template?: string) {
  return translate(service as unknown as Integration, {
    payload,
    header: () => undefined,
    argument: (name) => (name === 'template' ? template : undefined),
  })
}

function fill(template: string, payload: unknown): string {
  const outcome = send(payload, template)
  if (outcome.kind === 'messages') return outcome.messages[0]?.content ?? ''
  return outcome.kind === 'refused' && 'text' in outcome.reason ? outcome.reason.text : outcome.kind
}

const cases: [string, string, unknown, string][] = [
  ['a value', 'Build {build} {ok}', { build: 7, ok: false }, 'Build 7 false'],
  ['a path', '{a.b[1].c}{a.b.0}', { a: { b: ['x', { c: 'y' }] } }, 'yx'],
  ['a name in quotes', '{a["b.c"]}', { a: { 'b.c': 1 } }, '1'],
  ['a name in another script', '{état}', { état: 'bon' }, 'bon'],
  ['a fallback', '{a?none} {b?no b|bold} {c?}.', { b: '' }, 'none **no b** .'],
  ['escaped braces', '{{a}} {{{a}}}', { a: 1 }, '{a} {1}'],
  ['a list without a filter', '{a}', { a: [1, { b: 2 }] }, '[1,{"b":2}]'],
  ['nested sections', '{#a}{#b}{.}{$.z} {/b}{/a}', { a: [{ b: [1, 2] }, { b: [] }], z: '!' }, '1! 2!'],
  ['a section of an object', '{#a}{b}{/a}', { a: { b: 1 } }, '1'],
  ['a section of an empty list', '{#a}yes{/a}{^a}no{/a}', { a: [] }, 'no'],
  ['a section of the number zero', '{#a}{a}{/a}{^a}no{/a}', { a: 0 }, '0'],
  ['the count of a missing value and of an object', '{a|count} {b|count}', { b: { c: 1 } }, '0 1'],
  ['a link with an invalid URL', '{a|link:b}', { a: 'x', b: 'javascript:alert(1)' }, 'x'],
  ['a value with line breaks', 'a {b} c', { b: 'x\n# y' }, 'a x # y c'],
  ['a mention in a value', '{a|bold}', { a: '@**all**' }, '**@\u200b**all****'],
  [
    'fallbacks for inherited JavaScript properties',
    '{a.length?none} {constructor?none} {a.__proto__?none}',
    { a: [] },
    'none none none',
  ],

  [
    'an error for a brace that is not closed',
    'a\nbc {d',
    {},
    'template, line 2, column 4: this { has no }; write {{ for the character itself.',
  ],
  ['an error for an empty placeholder', '{}', {}, 'template, line 1, column 1: this names no value.'],
  [
    'an error for an invalid path',
    '{"a": 1}',
    {},
    'template, line 1, column 1: ""a": 1" is not a path to a value.',
  ],
  [
    'an error for an end tag without a section',
    'x{/a}',
    {},
    'template, line 1, column 2: {/a} closes nothing that is open.',
  ],
  ['an error for crossed tags', '{#a}{#b}{/a}', {}, 'template, line 1, column 9: {/a} comes before {/b}.'],
  [
    'an error for a link filter without a URL',
    '{a|link}',
    {},
    'template, line 1, column 1: link needs the path of a URL, as in {title|link:url}.',
  ],
  [
    'an error for a missing value',
    '😀{a.b}',
    { a: 1 },
    'template, line 1, column 2: the payload has nothing at a.b; {a.b?} leaves it out then.',
  ],
  [
    'an error for sections nested too deeply',
    '{#a}'.repeat(9),
    {},
    'template, line 1, column 33: sections are nested more than 8 deep.',
  ],
]

for (const [name, template, payload, expected] of cases)
  test(`a JSON template renders: ${name}`, () => assert.equal(fill(template, payload), expected))

const pieces = fc.constantFrom(
  '{',
  '}',
  '{{',
  '}}',
  '#',
  '/',
  '^',
  '|',
  '?',
  ':',
  '.',
  '$',
  '[0]',
  '["a"]',
  '\n',
  ' ',
  '```',
  '@**all**',
  'a',
  'b',
  'bold',
  'code',
  'quote',
  'json',
  'count',
  'list',
  'link:b',
  '{a}',
  '{a?}',
  '{b?none|quote}',
  '{$|json}',
  '{.|list}',
  '{#a}',
  '{/a}',
  '{^b}',
  '{/b}',
  '{#$}',
  '{/$}',
  '{#.}',
  '{/.}',
)
const templates = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))
const payloads = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'length', 'c'),
  fc.jsonValue({ maxDepth: 5 }),
)

test('random templates and payloads never throw and keep the limits', () => {
  fc.assert(
    fc.property(templates, payloads, (template, payload) => {
      const outcome = send(payload, template)
      if (outcome.kind === 'refused')
        assert.match(JSON.stringify(outcome.reason), /template, line \d+, column \d+: /)
      if (outcome.kind !== 'messages') return
      for (const { topic, content } of outcome.messages) {
        assert.ok(topic !== '' && content !== '')
        assert.ok(Buffer.byteLength(content) <= 10_000)
      }
    }),
    { numRuns: 3000 },
  )
})

test('a template never renders an incomplete message', () => {
  const filters = fc.constantFrom('', '|bold', '|code', '|quote', '|json', '|list', '|link:b')
  fc.assert(
    fc.property(filters, payloads, (filter, payload) => {
      assert.doesNotMatch(
        fill(`(({a${filter}}))`, payload),
        /^\(\(\s*\)\)$|\(\(\*\*\*\*\)\)|undefined|\[\]\(/,
      )
    }),
  )
})

const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]))
const many = Array.from({ length: 20_000 }, (_, index) => ({ place: index }))
const expensive: [string, unknown][] = [
  ['{#$.l}{#$.l}{#$.l}{/$.l}{/$.l}{/$.l}', { l: many }],
  ['{#$.l}{#$.l}x{/$.l}{/$.l}', { l: many }],
  ['{#l}{$.w|count}{/l}', { l: many, w: wide }],
  ['{#l}{#$.w}{/$.w}{^$.w}{/$.w}{/l}', { l: many, w: wide }],
  ['{#l}{$.s?}{$.s?|quote}{/l}', { l: many, s: `x${' '.repeat(1_000_000)}` }],
  ['{#l}{$|json}{/l}', { l: many, w: wide }],
  ['{l|list}{l|bold}', { l: many }],
  ['{$|quote}'.repeat(400), { s: '`'.repeat(9_000) }],
]

for (const [template, payload] of expensive)
  test(`rendering ends within its limits: ${template.slice(0, 40)}`, () => {
    const began = process.cpuUsage()
    assert.ok(fill(template, payload).length <= 10_000)
    // CPU time is measured, because other processes may be using the machine.
    assert.ok(process.cpuUsage(began).user < 1_000_000)
  })

test('pretty JSON equals the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      fc.pre(JSON.stringify(value).length < 4_000)
      assert.equal(prettyJson(value), JSON.stringify(value, null, 2))
      assert.equal(shortJson(value), JSON.stringify(value))
    }),
  )
})

test('deep and long payloads are truncated to the size of a message', () => {
  const deep = JSON.parse(`${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`)
  for (const payload of [deep, wide, { l: many }, { s: 'x'.repeat(1_000_000) }]) {
    const content = fill('', payload)
    assert.match(content, /^```json\n\{/)
    assert.match(content, /```(?:\n\[message truncated\])?$/)
  }
})
