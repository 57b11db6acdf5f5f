/** The interface to KaTeX. A browser loads it when a text first needs it. */
export type MathEngine = {
  /** Returns the HTML of one formula, or undefined where it is invalid TeX or exceeds a limit. */
  render(tex: string, display: boolean): string | undefined
}
