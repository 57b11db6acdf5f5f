import { cases } from '../cases/index.ts'
import type { Random } from './random.ts'
import { xssVectors } from './xss-vectors.ts'

const words = [
  'rose',
  'Iris Moor',
  'a',
  'é漢',
  '10',
  'all',
  'garden',
  'gardeners',
  'smile',
  'alert(1)',
  'xss()',
  '',
]
const marks = (
  '* ** *** _ __ ~ ~~ ` `` ``` ~~~ ```` $ $$ $$$ @ @** @_** @* # #** > < <time: : ; ! !! [ ] ( ) ]( | \\ / // & &amp; ' +
  '&#x6a; &colon; &lt; " \' = \\0 {.js} %0a 😀 ☺ \u200d \ufe0f \u202e \ud83c :smile: :sprout: :) <3 #123 bug 0123456789ab'
).split(' ')
const lineStarts = [
  '# ',
  '###### ',
  '> ',
  '>',
  '* ',
  '- ',
  '  * ',
  '1. ',
  '    ',
  '\t',
  '```',
  '```quote',
  '```spoiler ',
  '```math',
  '```python',
  '~~~',
  '| a | b |\n|---|:-:|\n',
  '---',
  '/me ',
]
const schemes = [
  'http://',
  'https://',
  'javascript:',
  'data:text/html,',
  'vbscript:',
  'mailto:',
  'file:///',
  'bitcoin:',
  '//',
  '/',
  '#',
  'https://chat.example/',
  'JaVaScRiPt:',
  'java\nscript:',
  '',
]
const hosts = [
  'x.example',
  'evil.example/a.png',
  'chat.example',
  '"onerror=xss()',
  "'><img src=x onerror=xss()>",
  'a b',
  '(a)',
  '%22',
  'youtube.com/watch?v=hx1mjT73xYE',
  'x.example/"><svg onload=xss()>',
]
const tags = [
  '<script>xss()</script>',
  '<img src=x onerror=xss()>',
  '<svg/onload=xss()>',
  '</p>',
  '</code></pre>',
  '<!--',
  '-->',
  ']]>',
  '<a href="javascript:xss()">',
  '<style>*{background:url(//evil.example)}</style>',
  '<iframe src=//evil.example>',
  '" onmouseover="xss()',
  '<b',
  '</span>',
]
const formulas = [
  'x^2',
  '\\frac{a}{b}',
  '\\href{javascript:xss()}{a}',
  '\\htmlStyle{background:url(//evil.example)}{a}',
  '\\includegraphics{//evil.example/a.png}',
  '\\text{<b>}',
  '\\url{javascript:xss()}',
  '\\color{red;x:url(//evil.example)}',
  '\\htmlData{a=b}{c}',
  '\\def\\a{\\a\\a}\\a',
]

/** Generates a text from pieces of the dialect's syntax, or mutates a case or an attack. */
export function generateInput(random: Random): string {
  const kind = random.below(10)
  if (kind < 5) return fromGrammar(random, 3)
  if (kind < 8) return mutate(random.pick(cases).input, random)
  return mutate(random.pick(xssVectors), random)
}

function fromGrammar(random: Random, depth: number): string {
  let text = ''
  for (let length = 1 + random.below(7); length > 0; length--) text += piece(random, depth)
  return text
}

function piece(random: Random, depth: number): string {
  const inner = () => (depth > 0 ? fromGrammar(random, depth - 1) : random.pick(words))
  switch (random.below(16)) {
    case 0:
      return `\n${random.pick(lineStarts)}${inner()}`
    case 1:
      return `\n\n${random.pick(lineStarts)}${inner()}\n`
    case 2:
      return `[${inner()}](${random.pick(schemes)}${random.pick(hosts)}${random.chance(0.3) ? ` "${inner()}"` : ''})`
    case 3:
      return ` ${random.pick(schemes)}${random.pick(hosts)} `
    case 4:
      return random.pick(tags)
    case 5:
      return `$$${random.pick(formulas)}$$`
    case 6:
      return `<time:${inner()}>`
    case 7:
      return `@**${random.pick(words)}**`
    case 8:
      return `#**${random.pick(words)}>${inner()}**`
    case 9: {
      const fence = random.pick(['```', '~~~', '````'])
      return `\n${fence}${random.pick(['', 'quote', 'spoiler ', 'math', 'js', 'html', 'python'])}\n${inner()}\n${fence}\n`
    }
    case 10: {
      const mark = random.pick(['*', '**', '***', '~~', '`', '``', '$$'])
      return mark + inner() + mark
    }
    case 11:
      return random.pick(marks)
    case 12:
      return random.pick(formulas)
    default:
      return random.pick(words) + (random.chance(0.5) ? ' ' : '')
  }
}

/** Cuts, doubles, swaps or inserts pieces of a text, a few times. */
export function mutate(text: string, random: Random): string {
  let result = text
  for (let times = 1 + random.below(4); times > 0; times--) {
    const from = random.below(result.length + 1)
    const to = Math.min(result.length, from + random.below(12))
    const [head, middle, tail] = [result.slice(0, from), result.slice(from, to), result.slice(to)]
    switch (random.below(5)) {
      case 0:
        result = head + tail
        break
      case 1:
        result = head + middle + middle + tail
        break
      case 2:
        result = head + random.pick(random.chance(0.5) ? marks : tags) + middle + tail
        break
      case 3:
        result = tail + middle + head
        break
      default:
        result = head + random.pick(cases).input.slice(0, 40) + tail
    }
  }
  return result.slice(0, 4000)
}
