/** What the renderer asks of KaTeX; a browser loads it when a text first needs it. */
export type MathEngine = {
  /** HTML of one formula, or undefined when it is not valid TeX or too much to ask. */
  render(tex: string, display: boolean): string | undefined
}
