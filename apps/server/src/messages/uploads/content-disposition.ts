/**
 * Builds a `Content-Disposition` header according to RFC 6266, with an ASCII name for old clients
 * and a UTF-8 name for all others. The name must not contain control characters.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[/\\]/g, '_')
  const ascii = plain
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["%]/g, '_')
    .trim()
  const quoted = `${kind}; filename="${ascii || 'file'}"`
  return ascii === plain ? quoted : `${quoted}; filename*=UTF-8''${encodeExtended(plain)}`
}

/**
 * Encodes a text according to RFC 8187, which allows fewer characters than `encodeURIComponent`.
 */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
