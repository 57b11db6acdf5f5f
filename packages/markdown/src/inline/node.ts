import type { Findings } from '../findings.ts'
import type { MathEngine } from '../math/engine.ts'

/** State shared by all nodes of a message while HTML is written. */
export type WriteScope = {
  readonly findings: Findings
  readonly math: MathEngine | undefined
  mathBudget: number
}

export type InlineNode = {
  readonly kind: string
  /** The source text of the node, shown where formatting is not applied. */
  readonly source: string
  readonly children?: readonly InlineNode[]
  write(scope: WriteScope): string
}

export function writeInline(nodes: readonly InlineNode[], scope: WriteScope): string {
  let html = ''
  for (const node of nodes) html += node.write(scope)
  return html
}
