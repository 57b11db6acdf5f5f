import { openTag } from '../element.ts'
import { escapeText } from '../escape.ts'
import { hasLeftBoundary } from '../inline/boundary.ts'
import type { InlineNode } from '../inline/node.ts'
import type { InlineRule } from '../inline/rule.ts'
import { streamHref, topicHref } from '../links/narrow-slug.ts'
import type { Stream } from '../lookup.ts'

const topicPattern = /#\*\*([^*>\0]+)>([^*\0]+)\*\*/g
const streamPattern = /#\*\*([^*\0]+)\*\*/g

/** Parses `#**Stream>topic**`. The topic need not exist. */
export const streamTopicLink: InlineRule = {
  name: 'stream_topic_link',
  needsMarkup: true,
  canMatch: (text) => text.includes('#**'),
  scan({ text }, { settings }, addNode) {
    for (const match of text.matchAll(topicPattern)) {
      if (!hasLeftBoundary(text, match.index)) continue
      const [source, name = '', topic = ''] = match
      const stream = settings.lookup.findStream(name)
      if (!stream) continue
      const label = `#${stream.name} > ${topic}`
      const node = streamNode(stream, 'stream-topic', topicHref(stream, topic), label, source)
      addNode(match.index, match.index + source.length, node)
    }
  },
}

/** Parses `#**Stream**`. */
export const streamLink: InlineRule = {
  name: 'stream_link',
  needsMarkup: true,
  canMatch: (text) => text.includes('#**'),
  scan({ text }, { settings }, addNode) {
    for (const match of text.matchAll(streamPattern)) {
      if (!hasLeftBoundary(text, match.index)) continue
      const [source, name = ''] = match
      const stream = settings.lookup.findStream(name)
      if (!stream) continue
      const node = streamNode(stream, 'stream', streamHref(stream), `#${stream.name}`, source)
      addNode(match.index, match.index + source.length, node)
    }
  },
}

export type StreamLinkNode = InlineNode & { kind: 'stream_link'; href: string }

function streamNode(
  stream: Stream,
  cssClass: string,
  href: string,
  label: string,
  source: string,
): StreamLinkNode {
  return {
    kind: 'stream_link',
    source,
    href,
    write({ findings }) {
      findings.links.add(href)
      const open = openTag('a', { class: cssClass, 'data-stream-id': String(stream.id), href })
      return `${open}${escapeText(label)}</a>`
    },
  }
}
