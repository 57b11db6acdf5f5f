import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { argumentsOf } from '@oxbow/texts/compile'

const root = join(import.meta.dirname, '..')
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const sheets = read('{src,styles}/**/*.css')
const sources = read('src/**/*.{ts,tsx}')
const tokens = readFileSync(join(root, '../../packages/look/src/tokens.css'), 'utf8')
const english = JSON.parse(readFileSync(join(root, 'messages/en.json'), 'utf8')) as Record<string, string>

/** Removes comments, so that only code is checked. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

test('style sheets use logical directions, which right-to-left languages need', () => {
  const physical =
    /(?:^|[\s;{])((?:(?:margin|padding|border|inset|scroll-\w+)-)?(?:left|right|top|bottom)(?:-\w+)?|(?:min-|max-)?(?:width|height)|border-(?:top|bottom)-(?:left|right)-radius)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right)/g
  const found = sheets.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(physical)].map(([match]) => `${path}: ${match.trim()}`),
  )
  assert.deepEqual(found, [])
})

test('paddings, margins and insets with four values are equal on the left and the right', () => {
  const withoutSpaces = (text: string) =>
    text.replace(/\((?:[^()]|\([^()]*\))*\)/g, (each) => each.replaceAll(' ', ''))
  const found = sheets.flatMap(({ path, text }) =>
    [...withoutSpaces(text).matchAll(/(?:padding|margin|inset): (\S+) (\S+) (\S+) (\S+);/g)].flatMap(
      ([match, , end, , start]) => (end === start ? [] : [`${path}: ${match}`]),
    ),
  )
  assert.deepEqual(found, [])
})

test('colours, font sizes and layers come from the tokens', () => {
  const declared = new Set([...tokens.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  for (const { path, text } of sheets) {
    const css = withoutComments(text)
    assert.doesNotMatch(css, /#[0-9a-f]{3,8}\b|rgb\(|hsl\(/i, `${path} has a colour that is not a token`)
    assert.match(css, /@layer (reset|base|ui|views)/, `${path} is in no layer`)
    const own = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
    const unknown = [...css.matchAll(/var\((--[\w-]+)/g)]
      .map(([, name]) => name)
      .filter((name) => !declared.has(name) && !own.has(name) && !isSetByScript(name))
    assert.deepEqual(unknown, [], path)
  }
})

/** Whether a component sets this custom property as an inline style. */
const isSetByScript = (name = '') => sources.some(({ text }) => text.includes(`'${name}'`))

test('class names begin with the name of a component', () => {
  const shared = ['Spoken', 'Cut', 'Heading', 'Boot', 'Unsupported', 'Undo']
  const isComponent = (name: string) =>
    shared.includes(name) ||
    sources.some(({ text }) => new RegExp(`(function|const|class) ${name}\\b`).test(text))
  const foreign = sheets.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/\.([A-Z]\w*)/g)].flatMap(([, name = '']) =>
      isComponent(name) ? [] : [`${path}: ${name}`],
    ),
  )
  assert.deepEqual([...new Set(foreign)], [])
})

test('every text that the client uses exists, and every text is used', () => {
  const usedKeys = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, key]) => key)),
  )
  const code = sources
    .filter(({ path }) => !path.includes('generated'))
    .map(({ text }) => text)
    .join('\n')
  assert.deepEqual(
    Object.keys(english).filter((key) => !code.includes(`'${key}'`)),
    [],
    'texts that nothing shows',
  )
  assert.ok([...usedKeys].length > 0)
  for (const [key, message] of Object.entries(english)) {
    assert.ok(message.trim() === message && message !== '', key)
    argumentsOf(message)
  }
})

test('components are loaded later only by lazyView, which also loads their texts', () => {
  for (const { path, text } of sources) {
    const direct = withoutComments(text).replace(/lazyView\(\(\) =>\s*import\(/g, '')
    assert.doesNotMatch(direct, /import\('[^']+\.tsx'\)/, path)
  }
})

test('components contain no untranslated text', () => {
  const found = sources
    .filter(({ path }) => path.endsWith('.tsx') && !path.includes('styleguide'))
    .flatMap(({ path, text }) =>
      [
        ...withoutComments(text).matchAll(/(?<!=)>\s*([A-Z][a-z]+[^<>{}=;()]*)</g),
        ...text.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]+)"/g),
      ].map(([, literal]) => `${path}: ${literal}`),
    )
  assert.deepEqual(found, [])
})

test('the entry script, source files and the blocking script stay small', () => {
  const lines = (text: string) => text.split('\n').length
  assert.ok(lines(readFileSync(join(root, 'src/main.ts'), 'utf8')) <= 80)
  for (const { path, text } of sources.filter(({ path: each }) => !each.includes('generated')))
    assert.ok(lines(text) <= 250, `${path} has ${lines(text)} lines`)
  assert.ok(Buffer.byteLength(readFileSync(join(root, 'public/theme.js'))) < 1_500)
})
