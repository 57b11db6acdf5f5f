import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import { hasLeftBoundary } from '../inline/boundary.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import type { Lookup, Person } from '../lookup.ts'

const mentionPattern = /@(_?)\*\*([^*\0]+)\*\*/g
const nameWithId = /^(.+)\|(\d{1,10})$/s
const wildcards = new Set(['all', 'everyone', 'stream'])

/** Parses `@**Full Name**`, `@**Full Name|10**`, `@**all**`, and the silent form `@_**…**`. */
export const mention: InlineRule = {
  name: 'mention',
  needsMarkup: true,
  canMatch: (text) => text.includes('@**') || text.includes('@_**'),
  scan({ text }, { settings }, addNode) {
    const { lookup, inQuote } = settings
    for (const match of text.matchAll(mentionPattern)) {
      if (!hasLeftBoundary(text, match.index)) continue
      const [source, underscore, name = ''] = match
      const silent = underscore === '_' || inQuote
      const end = match.index + source.length
      if (wildcards.has(name)) {
        addNode(match.index, end, wildcardNode(name, silent, source))
        continue
      }
      const person = findMentioned(lookup, name)
      if (person) addNode(match.index, end, personNode(person, silent, source))
    }
  },
}

function findMentioned(lookup: Lookup, name: string): Person | undefined {
  const [, nameAlone, id] = nameWithId.exec(name) ?? []
  if (nameAlone !== undefined && id !== undefined) {
    const person = lookup.findPerson(nameAlone, Number(id))
    if (person) return person
  }
  return lookup.findPerson(name)
}

function personNode(person: Person, silent: boolean, source: string): InlineNode {
  return {
    kind: 'mention',
    source,
    write({ findings }) {
      if (!silent) findings.mentionedUserIds.add(person.id)
      return mentionHtml(String(person.id), person.fullName, silent)
    },
  }
}

/** Writes a wildcard mention. A silent one looks silent but still notifies. */
function wildcardNode(word: string, silent: boolean, source: string): InlineNode {
  return {
    kind: 'mention',
    source,
    write({ findings }) {
      findings.mentionsWildcard = true
      return mentionHtml('*', word, silent)
    },
  }
}

function mentionHtml(userId: string, name: string, silent: boolean): string {
  const open = openTag('span', {
    class: silent ? 'user-mention silent' : 'user-mention',
    'data-user-id': userId,
  })
  return `${open}${silent ? '' : '@'}${escapeText(name)}</span>`
}
