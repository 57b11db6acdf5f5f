import { findEmojiCode } from '../emoji/emoji.ts'
import type { InlineRule } from '../inline/rule.ts'
import { emojiNode } from './emoji.ts'

const names: { readonly [emoticon: string]: string } = {
  ':)': 'slight_smile',
  '(:': 'slight_smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
}

const emoticonPattern = /(?<![^\s,.;?!()[\]"'])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^\s,.;?!()[\]"'])/g

/** Converts emoticons like `:)` to emoji, for senders who enabled it. */
export const emoticons: InlineRule = {
  name: 'emoticons',
  needsMarkup: true,
  canMatch: (_text, { context }) => context.translateEmoticons === true,
  scan({ text }, _scope, addNode) {
    for (const match of text.matchAll(emoticonPattern)) {
      const name = names[match[0]] ?? ''
      const code = findEmojiCode(name)
      if (code) addNode(match.index, match.index + match[0].length, emojiNode(name, code, match[0]))
    }
  },
}
