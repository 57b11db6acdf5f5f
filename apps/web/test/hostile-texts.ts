import { xssVectors } from '@oxbow/markdown/attacks'
import { sampleInGate } from '@oxbow/testkit/size'

/** Texts that change or hide the direction of writing. */
const directions = [
  '\u202Egnp.exe',
  '\u2067\u202Etxet\u2066',
  '\u200f\u200e\u061c mixed אבג and عربي',
  'a\u200bb\u200cc\u200dd\ufeff',
]

/** Texts that are wider or higher than usual names. */
const sizes = [
  'W'.repeat(60),
  'ǲ'.repeat(60),
  '﷽'.repeat(30),
  `Z${'\u0335\u0349\u034d\u0361'.repeat(14)}`,
  '\u2001'.repeat(20).concat('x'),
  '👩‍👩‍👧‍👦'.repeat(5),
]

/** Texts that are also names of properties, elements and globals of the page. */
const clobbering = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'app',
  'main',
  'null',
  'undefined',
  '<form id=app name=main>',
  '<a id=trustedTypes name=createPolicy>',
  '<img name=getElementById>',
  '<template shadowrootmode=open><slot>',
  '{{constructor.constructor("xss()")()}}',
  '$\u007bxss()}',
  '$& $1 $` %s %o',
  '../../../etc/passwd',
]

const nested = [
  `${'>'.repeat(400)} deep`,
  `${'* '.repeat(60)}deep`,
  `${'['.repeat(500)}x${']'.repeat(500)}(javascript:xss())`,
  '**'.repeat(900),
  `${'```quote\n'.repeat(40)}deep`,
  `| a |\n|---|\n${'| <b> |\n'.repeat(200)}`,
  `https://x.example/${'a'.repeat(3_000)}`,
  'x'.repeat(9_000),
  `$$${'{'.repeat(300)}x${'}'.repeat(300)}$$`,
]

const listShortXssVectors = (limit: number) =>
  xssVectors.filter((text) => [...text].length <= limit && !text.includes('\n'))

/** All hostile texts, for messages; a sample of them in the gate. */
export const hostileMessages: readonly string[] = sampleInGate(
  [...xssVectors, ...directions, ...sizes, ...clobbering, ...nested],
  30,
)

/** Returns hostile texts for names: on one line, at most `limit` characters; fewer in the gate. */
export function hostileNames(limit: number): string[] {
  const fit = (texts: readonly string[]) => texts.filter((text) => [...text].length <= limit)
  return [
    ...sampleInGate(fit([...directions, ...sizes, ...clobbering]), 7),
    ...sampleInGate(listShortXssVectors(limit), 3),
  ]
}
