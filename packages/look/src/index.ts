import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findAsset } from '@oxbow/assets'

/** Cascade layers. Rules of later layers override those of earlier ones, whatever their selectors are. */
const layers = '@layer reset, tokens, base, ui, views;\n'

export interface StyleSheet {
  /** Contains a hash of the text, so that the file can be cached for ever. */
  fileName: string
  text: string
}

/** Reads the style sheet of the pages that a server renders: tokens, base rules and their own rules. */
export const readPageStyles = (): StyleSheet => readStyles('pages', ['pages.css'])

/** Reads the style sheet of the documentation, which has fields and buttons like the pages. */
export const readReferenceStyles = (): StyleSheet => readStyles('reference', ['pages.css', 'reference.css'])

/** Reads the icon that browsers ask for at `/favicon.ico`. */
export const readFavicon = (): Buffer => readFileSync(new URL('favicon.ico', findAsset('styles')))

function readStyles(name: string, own: readonly string[]): StyleSheet {
  const files = ['tokens.css', 'base.css', ...own]
  const text =
    layers +
    files
      .map((file) => toContrastMediaQuery(shorten(readFileSync(new URL(file, findAsset('styles')), 'utf8'))))
      .join('')
  return { fileName: `${name}-${hash('sha256', text).slice(0, 10)}.css`, text }
}

/** Removes comments and indentation. */
const shorten = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .trimStart()

/** Replaces the high-contrast attribute, which the web client sets by script, with the media query. */
const toContrastMediaQuery = (css: string): string =>
  css.replace(
    /:root\[data-contrast="more"\] \{([^}]*)\}/g,
    '@media (prefers-contrast: more) {\n:root {$1}\n}',
  )
