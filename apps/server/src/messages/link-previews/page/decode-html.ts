/**
 * A page must declare its character set within these first bytes, according to the HTML standard.
 */
const maxPrescanBytes = 1_024
const declaration = /<meta[^>]{0,500}?charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i

/**
 * Decodes a page like a browser: by its byte order mark, otherwise by the header, otherwise by the
 * declaration in the page. A page without any of these is decoded as UTF-8 if it is valid UTF-8,
 * otherwise as Windows-1252.
 */
export function decodeHtml(body: Uint8Array, contentType = ''): string {
  const label = findByteOrderMark(body) ?? findInHeader(contentType) ?? findInPage(body)
  const decoder = (label && makeDecoder(label)) || makeDecoder(isUtf8(body) ? 'utf-8' : 'windows-1252')
  return decoder?.decode(body) ?? ''
}

function findByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

const findInHeader = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]

function findInPage(body: Uint8Array): string | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, maxPrescanBytes))
  const label = declaration.exec(start.toString('latin1'))?.[1]
  // The declaration was readable as ASCII, so the page cannot be in UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function makeDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/**
 * Returns whether the bytes are valid UTF-8. An incomplete character at the end is allowed, because
 * the page may have been cut there.
 */
function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return true
  } catch {
    return false
  }
}
