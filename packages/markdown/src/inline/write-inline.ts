import type { InlineNode, WriteScope } from './rule.ts'

export function writeInline(nodes: readonly InlineNode[], scope: WriteScope): string {
  let html = ''
  for (const node of nodes) html += node.write(scope)
  return html
}
