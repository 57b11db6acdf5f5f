/** The interface to KaTeX. A browser loads it on first use. */
export type MathEngine = {
  /** Returns the HTML of one formula, or undefined if the formula is invalid or exceeds a limit. */
  render(tex: string, display: boolean): string | undefined
}
