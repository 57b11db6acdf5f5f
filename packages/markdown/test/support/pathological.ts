import { highlightBudgetPerMessage, highlightCost } from '../../src/highlight/highlight-cost.ts'
import { listLanguages } from '../../src/index.ts'
import { mutate } from './generate.ts'
import type { Random } from './random.ts'

/** Pieces of text that each plugin reacts to. The search repeats and combines them. */
export const pluginSeeds: { readonly [plugin: string]: readonly string[] } = {
  code_span: ['`', '``', '`a', '`a``b```c', '` ``'],
  emphasis: ['*', '**', '***', '*a', '**a', '*a **b', '***a', '~~', '~~a', '~~a~', '*a^'],
  mention: ['@**', '@_**', '@**a', ' @**Iris Moor**', '@**Iris Moor|10**', '@**a|1'],
  group_mention: ['@*', ' @*gardeners*', '@*a'],
  stream_link: ['#**', '#**a>', ' #**garden**', ' #**garden>x**', '#**garden>'],
  math: [
    '$$',
    '$$x',
    ' $$x$$',
    '$$\\$',
    ' $$\\frac{a}{b}$$',
    '```math\nx\n\ny\n```\n',
    '$$\\def\\a{\\a\\a}\\a$$ ',
    '{',
    '\\sqrt{',
  ],
  time: ['<time:', '<time:0>', '<time:May 28 2020, 8:00 AM>', '<time:1>'],
  link: [
    '[a](b                c)',
    '[',
    '](',
    '[a](',
    '[a](b)',
    '![a](',
    '[[',
    ')',
    '[a](http://x.example/ "t")',
    '[a](b "',
  ],
  autolink: [
    'http://x.example/',
    ' http://x.example',
    'a.com ',
    'a.',
    'a@b.',
    ',http://x/(',
    ' a@b.com',
    'x.y.z.',
    '(http://x.com/',
    'http://x/a)b,',
    ' bitcoin:1Boat',
  ],
  linkifier: ['#1', ' #123', ' bug a-1', ' 0123456789ab', 'bug a', ' 0123456789a'],
  emoji: [':', ':a', ':smile', ':smile:', ':sprout:', '😀', '☺\ufe0f', '::', ':)', '<3 '],
  entities: ['&', '&amp;', '&a', '&#', '<', '"'],
  line_break: ['\n', 'a\n', ' \n', '\r\n', '\t'],
  paragraph: ['a', ' ', 'a\n\n', '\\'],
  heading: ['# a\n', '#', '# ', '###### #\n', '# a #'],
  rule: ['-', '- ', '***\n', '- - -\n', '_ ', '* * a'],
  list: ['* a\n', '  * a\n', '* ', '1. a\n', '* a\n\n', ' * a\n  ', '- a\n1. b\n', '  '],
  quote: ['>', '> ', '> a\n', '>\n', '>a\n\n', '> > ', '>>>>', 'a\n>\n'],
  fence: [
    '```\n',
    '```',
    '~~~\n',
    '```quote\n',
    '````quote\n',
    '```spoiler a\n',
    '```\n\n',
    '```js\n',
    '```quote\n~~~\n',
  ],
  highlight: [
    '```js\na+b\n```\n',
    '"',
    "'",
    '/*',
    '${',
    '<a ',
    '{',
    '(',
    '`',
    '\\',
    '#',
    'function(',
    '<?php ',
    '-- ',
  ],
  table: ['|', 'a|b\n-|-\n', '|-', '-|', '`|', 'a|', '| a |\n|---|\n', '|\n'],
  previews: [
    'http://x.example/a.png ',
    'http://x.example/a.png\n\n',
    '[a](/a.png)',
    'https://youtu.be/abcdefgh ',
  ],
}

export const maxInputBytes = 10_000

/** A text of many repetitions of one piece, with a prefix and a suffix. */
export type Shape = { plugin: string; before: string; unit: string; after: string }

export function textOf({ before, unit, after }: Shape): string {
  const room = maxInputBytes - byteLength(before) - byteLength(after)
  const times = Math.max(1, Math.floor(room / Math.max(1, byteLength(unit))))
  return cutToBytes(before + unit.repeat(times) + after)
}

export function firstShapes(plugin: string): Shape[] {
  const units = pluginSeeds[plugin] ?? []
  const plain = units.map((unit) => ({ plugin, before: '', unit, after: '' }))
  if (plugin !== 'highlight') return plain
  return listLanguages().flatMap((language) => units.map((unit) => codeOf(language, unit)))
}

/**
 * Returns the longest code that is still highlighted, in the longest allowed words. Longer code is
 * not highlighted and therefore fast.
 */
function codeOf(language: string, unit: string): Shape {
  const room = highlightBudgetPerMessage / highlightCost('x', language) - 10
  const line = `${unit.repeat(Math.max(1, Math.floor(118 / unit.length)))}
`
  const code = line.repeat(Math.max(1, Math.floor(room / line.length)))
  return {
    plugin: 'highlight',
    before: `\`\`\`${language}
${code}\`\`\`
`,
    unit: 'a ',
    after: '',
  }
}

/** Returns a variant of a slow shape: with another unit, a mutated unit, or a different prefix or suffix. */
export function vary(shape: Shape, random: Random): Shape {
  const plugins = Object.keys(pluginSeeds)
  const other = random.pick(pluginSeeds[random.pick(plugins)] ?? [''])
  switch (random.below(6)) {
    case 0:
      return { ...shape, unit: shape.unit + other }
    case 1:
      return { ...shape, unit: mutate(shape.unit, random).slice(0, 200) || 'a' }
    case 2:
      return { ...shape, before: shape.before + other }
    case 3:
      return { ...shape, after: other + shape.after }
    case 4:
      return { ...shape, unit: shape.unit.slice(0, Math.max(1, shape.unit.length >> 1)) }
    default:
      return { ...shape, after: shape.unit + other }
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function cutToBytes(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return bytes.length <= maxInputBytes ? text : new TextDecoder().decode(bytes.slice(0, maxInputBytes - 3))
}
