import MarkdownIt from 'markdown-it'
import type { Dialect } from './block-state.ts'
import type { InlineRule } from './inline/rule.ts'
import { normalizePlugin } from './normalize.ts'
import { autolink } from './plugins/autolink.ts'
import { codeSpan } from './plugins/code-span.ts'
import { namedEmoji, unicodeEmoji } from './plugins/emoji.ts'
import { emoticons } from './plugins/emoticons.ts'
import { emphasis, strikethrough, strong, strongEmphasis } from './plugins/emphasis.ts'
import { fencePlugin } from './plugins/fence.ts'
import { groupMention } from './plugins/group-mention.ts'
import { headingPlugin } from './plugins/heading.ts'
import { indentedCodePlugin } from './plugins/indented-code.ts'
import { inlinePlugin } from './plugins/inline.ts'
import { inlineMath } from './plugins/inline-math.ts'
import { lineBreak } from './plugins/line-break.ts'
import { link } from './plugins/link.ts'
import { linkifier } from './plugins/linkifier.ts'
import { listPlugin } from './plugins/list.ts'
import { mention } from './plugins/mention.ts'
import { paragraphPlugin } from './plugins/paragraph.ts'
import { previewsPlugin } from './plugins/previews.ts'
import { quotePlugin } from './plugins/quote.ts'
import { ruleLinePlugin } from './plugins/rule-line.ts'
import { streamLink, streamTopicLink } from './plugins/stream-link.ts'
import { tablePlugin } from './plugins/table.ts'
import { time } from './plugins/time.ts'

/** The inline rules in order of precedence. */
const inlineRules: readonly InlineRule[] = [
  codeSpan,
  strongEmphasis,
  mention,
  inlineMath,
  streamTopicLink,
  streamLink,
  time,
  groupMention,
  link,
  autolink,
  linkifier,
  strong,
  emphasis,
  strikethrough,
  namedEmoji,
  emoticons,
  lineBreak,
  unicodeEmoji,
]

export function createDialect(): Dialect {
  return new MarkdownIt('zero')
    .use(normalizePlugin)
    .use(fencePlugin)
    .use(indentedCodePlugin)
    .use(tablePlugin)
    .use(headingPlugin)
    .use(ruleLinePlugin)
    .use(listPlugin)
    .use(quotePlugin)
    .use(paragraphPlugin)
    .use(inlinePlugin, inlineRules)
    .use(previewsPlugin)
    .disable(['strip_references', 'text_join'])
}
