import type { InlineNode } from './node.ts'

/** Placeholder for one node in a fragment's text. `normalize.ts` removes this character from messages. */
export const nodePlaceholder = '\0'

/** Text whose parsed parts are replaced by placeholders: the n-th placeholder stands for the n-th node. */
export class Fragment {
  readonly text: string
  readonly nodes: readonly InlineNode[]
  private positions: number[] | undefined

  constructor(text: string, nodes: readonly InlineNode[] = []) {
    this.text = text
    this.nodes = nodes
  }

  slice(start: number, end: number): Fragment {
    const text = this.text.slice(start, end)
    if (this.nodes.length === 0) return new Fragment(text)
    return new Fragment(text, this.nodes.slice(this.nodesBefore(start), this.nodesBefore(end)))
  }

  /** The text as the author typed it. */
  get source(): string {
    if (this.nodes.length === 0) return this.text
    let next = 0
    return this.text.replaceAll(nodePlaceholder, () => this.nodes[next++]?.source ?? '')
  }

  /** Counts the nodes before a position in the text, by binary search. */
  nodesBefore(position: number): number {
    if (this.nodes.length === 0) return 0
    this.positions ??= positionsOfMarks(this.text)
    let low = 0
    let high = this.positions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.positions[middle] ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }
}

function positionsOfMarks(text: string): number[] {
  const positions: number[] = []
  for (let at = text.indexOf(nodePlaceholder); at !== -1; at = text.indexOf(nodePlaceholder, at + 1))
    positions.push(at)
  return positions
}
