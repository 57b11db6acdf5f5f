const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Converts the HTML of an e-mail to plain text. */
export function htmlToText(html: string): string {
  return html
    .replace(/\s+/g, ' ')
    .replace(/<(?:style|script)\b[^<>]*>[^<]*/gi, '')
    .replace(/<br\b[^<>]*>|<\/(?:p|div|li|tr|h[1-6]|blockquote)>/gi, '\n')
    .replace(/<li\b[^<>]*>/gi, '* ')
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
    .replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (match, entity: string) => decodeEntity(entity) ?? match)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function decodeEntity(entity: string): string | undefined {
  if (!entity.startsWith('#')) return Object.hasOwn(namedEntities, entity) ? namedEntities[entity] : undefined
  const code = /^#x/i.test(entity)
    ? Number.parseInt(entity.slice(2), 16)
    : Number.parseInt(entity.slice(1), 10)
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
