import { readHtml } from '../../src/html/read-html.ts'

/**
 * Compares the written HTML with the tree that the browser parsed, tag by tag and text by text.
 * Returns the first difference, or undefined if there is none.
 */
export function findTreeDifference(html: string, root: Element): string | undefined {
  const actual = flatten(root)
  const written = flattenWritten(html)
  for (let at = 0; at < Math.max(actual.length, written.length); at++) {
    if (actual[at] !== written[at]) return `written ${written[at]}, parsed ${actual[at]}`
  }
  return undefined
}

function flatten(root: Element): string[] {
  const result: string[] = []
  for (const node of Array.from(root.childNodes)) {
    if (node.nodeType === Node.TEXT_NODE) {
      result.push(`text ${node.nodeValue}`)
    } else if (node instanceof Element) {
      const attributes = Array.from(node.attributes, ({ name, value }) => `${name}=${value}`)
      result.push(`open ${node.localName} ${attributes.join(' ')}`.trimEnd())
      result.push(...flatten(node), `close ${node.localName}`)
    } else {
      result.push(`other ${node.nodeType}`)
    }
  }
  return result
}

const decoder = document.createElement('textarea')

/** Decodes entities with the browser's table instead of ours. */
function decode(source: string): string {
  if (!source.includes('&')) return source
  // The parser drops a line break at the start of a textarea, so a letter is put before the text.
  decoder.innerHTML = `x${source.replaceAll('<', '&lt;')}`
  return decoder.value.slice(1)
}

function flattenWritten(html: string): string[] {
  const result: string[] = []
  for (const piece of readHtml(html)) {
    if (piece.kind === 'text') {
      result.push(`text ${decode(piece.source)}`)
    } else if (piece.kind === 'close') {
      result.push(`close ${nameOf(piece.source)}`)
    } else {
      const attributes = Array.from(
        piece.attributes.matchAll(/([A-Za-z][A-Za-z0-9:-]*)(?:="([^"]*)")?/g),
        ([, name, value = '']) => `${name}=${decode(value)}`,
      )
      result.push(`open ${nameOf(piece.source)} ${attributes.join(' ')}`.trimEnd())
      if (piece.isVoid) result.push(`close ${nameOf(piece.source)}`)
    }
  }
  return result
}

function nameOf(tag: string): string {
  return /^<\/?([A-Za-z0-9-]+)/.exec(tag)?.[1] ?? ''
}
