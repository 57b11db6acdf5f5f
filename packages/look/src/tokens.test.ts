import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readPageStyles } from './index.ts'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const themes = readThemes()

/** Text colours and their backgrounds. WCAG 2.2 AA requires a contrast of at least 4.5. */
const texts: Record<string, string[]> = {
  '--text': [
    '--bg',
    '--sunken',
    '--surface',
    '--raised',
    '--hover',
    '--selected',
    '--about-you-soft',
    '--highlight',
    '--code',
    '--accent-soft',
    '--danger-soft',
    '--warning-soft',
    '--success-soft',
  ],
  '--text-2': ['--bg', '--sunken', '--surface', '--raised', '--hover', '--selected'],
  '--text-3': ['--bg', '--sunken', '--surface', '--raised', '--hover'],
  '--accent': [
    '--bg',
    '--sunken',
    '--surface',
    '--raised',
    '--hover',
    '--selected',
    '--accent-soft',
    '--about-you-soft',
  ],
  '--accent-hover': ['--bg', '--surface', '--hover'],
  '--on-accent': ['--accent', '--accent-hover', '--about-you'],
  '--about-you': ['--surface', '--sunken'],
  '--danger': ['--surface', '--raised', '--hover', '--danger-soft'],
  '--warning': ['--surface', '--warning-soft'],
  '--success': ['--surface', '--success-soft'],
}
/** Colours of control borders and focus rings, and their backgrounds, with a contrast of at least 3. */
const shapes: Record<string, string[]> = {
  '--control': ['--bg', '--surface', '--sunken', '--raised'],
  '--focus': ['--bg', '--surface', '--raised', '--hover', '--selected', '--sunken'],
}

for (const [name, theme] of Object.entries(themes)) {
  test(`every pair of colours in ${name} has enough contrast`, () => {
    const low = [...findLowContrast(theme, texts, 4.5), ...findLowContrast(theme, shapes, 3)]
    assert.deepEqual(low, [])
  })
}

test('every colour has a light and a dark value', () => {
  const single = [...css.matchAll(/(--[\w-]+): (?:#|rgb)/g)].map(([, name]) => name)
  assert.deepEqual(single, [])
})

test('style sheets of pages switch to high contrast by the media query, not by an attribute', () => {
  const { text } = readPageStyles()
  assert.match(text, /@media \(prefers-contrast: more\) \{\n:root \{\n--bg: light-dark\(#ffffff, #000000\);/)
  assert.doesNotMatch(text, /data-contrast/)
})

test('style sheets use logical directions and only declared tokens', () => {
  const { text } = readPageStyles()
  assert.deepEqual(
    text.match(/[{;]\s*(?:(?:margin|padding|border)-)?(?:left|right)\b[^;]*|text-align: (?:left|right)/g),
    null,
  )
  const declared = new Set([...text.matchAll(/^(--[\w-]+):/gm)].map((match) => match[1]))
  const unknown = [...text.matchAll(/var\((--[\w-]+)/g)]
    .map((match) => match[1])
    .filter((name) => !declared.has(name))
  assert.deepEqual(unknown, [])
  const colours = readFileSync(new URL('pages.css', import.meta.url), 'utf8').match(
    /#[0-9a-f]{3,8}\b|rgb|hsl/g,
  )
  assert.equal(colours, null, 'colours belong into tokens.css')
})

type Theme = Record<string, string>

/** Returns the colours of each theme. High contrast inherits the colours that it does not change. */
function readThemes(): Record<string, Theme> {
  const [usual = '', contrast = ''] = css.split('[data-contrast="more"]')
  const light = readColours(usual, 1)
  const dark = readColours(usual, 2)
  return {
    light,
    dark,
    'high contrast': { ...light, ...readColours(contrast, 1) },
    'dark high contrast': { ...dark, ...readColours(contrast, 2) },
  }
}

/** Reads the first (light) or the second (dark) colour of each token. */
function readColours(block: string, position: 1 | 2): Theme {
  const pairs = block.matchAll(/(--[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  return Object.fromEntries([...pairs].map((pair) => [pair[1], pair[1 + position]]))
}

function findLowContrast(theme: Theme, pairs: Record<string, string[]>, minRatio: number): string[] {
  return Object.entries(pairs).flatMap(([colour, backgrounds]) =>
    backgrounds.flatMap((background) => {
      const ratio = contrastOf(theme[colour] ?? '', theme[background] ?? '')
      return ratio < minRatio ? [`${colour} on ${background}: ${ratio.toFixed(2)}`] : []
    }),
  )
}

/** Contrast ratio of two colours by WCAG 2. */
function contrastOf(one: string, other: string): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
