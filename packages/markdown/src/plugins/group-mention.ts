import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import { hasLeftBoundary } from '../inline/boundary.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import type { Group } from '../lookup.ts'

const groupPattern = /@\*([^*\0]+)\*/g

/** Parses `@*group*`. There is no silent form, and a mention in a quote is not silent either. */
export const groupMention: InlineRule = {
  name: 'group_mention',
  needsMarkup: true,
  canMatch: (text) => text.includes('@*'),
  scan({ text }, { settings }, addNode) {
    for (const match of text.matchAll(groupPattern)) {
      if (!hasLeftBoundary(text, match.index)) continue
      const [source, name = ''] = match
      const group = settings.lookup.findGroup(name)
      if (group) addNode(match.index, match.index + source.length, groupNode(group, source))
    }
  },
}

function groupNode(group: Group, source: string): InlineNode {
  return {
    kind: 'group_mention',
    source,
    write({ findings }) {
      findings.mentionedGroupIds.add(group.id)
      const open = openTag('span', {
        class: 'user-group-mention',
        'data-user-group-id': String(group.id),
      })
      return `${open}@${escapeText(group.name)}</span>`
    },
  }
}
