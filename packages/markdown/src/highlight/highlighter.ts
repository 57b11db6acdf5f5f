/** What the renderer asks of highlight.js; a browser loads it, and each language, when first needed. */
export type Highlighter = {
  /** Whether the name is understood at all, be it by colouring nothing. */
  knows(language: string): boolean
  /** HTML with the dialect's short classes, or undefined for an unknown language. */
  highlight(code: string, language: string): string | undefined
}
