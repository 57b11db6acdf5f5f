import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The order in which later rules win over earlier ones, whatever their selectors are. */
const layers = '@layer reset, tokens, base, ui, views;\n'

export interface StyleSheet {
  /** Contains a hash of the text, so that the file can be cached for ever. */
  fileName: string
  text: string
}

/** Reads the style sheet of the pages that a server renders: tokens, base rules and their own rules. */
export function readPageStyles(): StyleSheet {
  const files = ['tokens.css', 'base.css', 'pages.css']
  const text =
    layers + files.map((file) => shorten(readFileSync(new URL(file, import.meta.url), 'utf8'))).join('')
  return { fileName: `pages-${hash('sha256', text).slice(0, 10)}.css`, text }
}

/** Removes comments and indentation. */
const shorten = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .trimStart()
