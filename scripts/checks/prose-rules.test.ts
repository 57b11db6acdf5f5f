import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults } from './prose-rules.ts'

const problemsOf = (path: string, text: string) =>
  findFaults({ path, text }).map(({ line, problem }) => `${line}: ${problem.split(':')[0]}`)

test('a forbidden word is reported in any text file, in upper or lower case', () => {
  const text = `One line.\nWho${'ever'} reads this.\n`

  assert.deepEqual(problemsOf('docs/a.md', text), [`2: "who${'ever'}"`])
  assert.deepEqual(problemsOf('docs/a.md', 'However, this is fine.\n'), [])
})

test('doc comments may not begin with a preposition or a pronoun', () => {
  const begun = (opening: string) => problemsOf('a.ts', `/** ${opening} */\nconst a = 1\n`).length

  for (const opening of [
    'Of users.',
    'By id.',
    'To all.',
    'In bytes.',
    'Those here.',
    'The same.',
    'What is sent.',
  ])
    assert.equal(begun(opening), 1, opening)
  for (const opening of [
    'Returns it.',
    'Offers more.',
    'The sameness of both.',
    'Inserts a row.',
    'Whatever.',
  ])
    assert.equal(begun(opening), 0, opening)
  assert.deepEqual(problemsOf('a.ts', 'x\n/**\n * What is sent.\n */\n'), [
    '2: the doc comment begins with "What"',
  ])
})

test('test titles with fewer than four words are reported, but only in test files', () => {
  const text = "test('too few words', () => {})\ntest('a title of four', () => {})\n"

  assert.deepEqual(problemsOf('a.test.ts', text), [
    '1: the test title "too few words" has fewer than 4 words',
  ])
  assert.deepEqual(problemsOf('a.ts', text), [])
})
