import { openTag } from '../element.ts'
import { findEmojiByCharacter, findEmojiCode } from '../emoji/emoji.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import type { CustomEmoji } from '../lookup.ts'

const namePattern = /:([\w+-]+):/g
const extraEmoji: CustomEmoji = {
  name: 'chat',
  sourceUrl: '/static/generated/emoji/images/emoji/unicode/chat.png',
}

/** Parses `:name:`. Custom emoji take precedence, and no word boundary is required. */
export const namedEmoji: InlineRule = {
  name: 'named_emoji',
  needsMarkup: true,
  canMatch: (text) => text.includes(':'),
  scan({ text }, { settings }, addNode) {
    namePattern.lastIndex = 0
    for (let match = namePattern.exec(text); match; match = namePattern.exec(text)) {
      const [source, name = ''] = match
      const custom =
        settings.lookup.findCustomEmoji(name) ?? (name === extraEmoji.name ? extraEmoji : undefined)
      const code = custom ? undefined : findEmojiCode(name)
      const end = match.index + source.length
      if (custom) addNode(match.index, end, customNode(custom, source))
      else if (code) addNode(match.index, end, emojiNode(name, code, source))
      // The colon after an unknown name may begin the next name.
      else namePattern.lastIndex = end - 1
    }
  },
}

/** Parses Unicode emoji, one code point at a time. Modifiers after it stay text. */
export const unicodeEmoji: InlineRule = {
  name: 'unicode_emoji',
  needsMarkup: true,
  canMatch: (text) => mayContainEmoji.test(text),
  scan({ text }, _scope, addNode) {
    for (const match of text.matchAll(emojiCandidate)) {
      const emoji = findEmojiByCharacter(match[0])
      if (emoji)
        addNode(match.index, match.index + match[0].length, emojiNode(emoji.name, emoji.code, match[0]))
    }
  },
}

const mayContainEmoji = /[\u203c-\u3299\ud83c-\ud83e]/
// Omits most letterlike signs and arrows below U+2300, which are more often meant as text than as emoji.
const emojiCandidate = /[\u203c\u2049\u2300-\u2bff\u3030\u303d\u3297\u3299]|[\ud83c-\ud83e][\udc00-\udfff]/g

export function emojiNode(name: string, code: string, source: string): InlineNode {
  const spoken = name.replaceAll('_', ' ')
  const open = openTag('span', {
    'aria-label': spoken,
    class: `emoji emoji-${code}`,
    role: 'img',
    title: spoken,
  })
  return { kind: 'emoji', source, write: () => `${open}:${name}:</span>` }
}

function customNode({ name, sourceUrl }: CustomEmoji, source: string): InlineNode {
  const spoken = name.replaceAll('_', ' ')
  return {
    kind: 'emoji',
    source,
    write: () => openTag('img', { alt: `:${name}:`, class: 'emoji', src: sourceUrl, title: spoken }),
  }
}
