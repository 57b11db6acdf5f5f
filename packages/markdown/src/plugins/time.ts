import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import { formatTime, parseTime } from '../time/parse-time.ts'

const timePattern = /<time:([^>\n\0]{1,200})>/g

/** Parses `<time:T>`, which clients show in the reader's time zone. */
export const time: InlineRule = {
  name: 'time',
  needsMarkup: true,
  canMatch: (text) => text.includes('<time:'),
  scan({ text }, { settings }, addNode) {
    const now = settings.context.now ?? new Date()
    for (const match of text.matchAll(timePattern)) {
      const [source, written = ''] = match
      addNode(match.index, match.index + source.length, timeNode(written, now, source))
    }
  },
}

function timeNode(written: string, now: Date, source: string): InlineNode {
  const moment = parseTime(written, now)
  const html = moment
    ? `${openTag('time', { datetime: formatTime(moment) })}${escapeText(written)}</time>`
    : `<span class="timestamp-error">Invalid time format: ${escapeText(written)}</span>`
  return { kind: 'time', source, write: () => html }
}
