/** The bytes in which a page must declare its character set, by the HTML standard. */
const maxPrescanBytes = 1_024
const declaration = /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i

/**
 * Decodes a page as browsers do: by its byte order mark, else by the header, else by the page's own
 * declaration. Without any, it is UTF-8 if it can be, else Windows-1252.
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
  // A page whose declaration could be read as ASCII is not in UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function makeDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** A character may be cut at the end, so the last bytes do not count. */
function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
    return true
  } catch {
    return false
  }
}
