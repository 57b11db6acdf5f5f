/** Returns the text of the first element with this name; undefined if there is none. */
export function findElement(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text === undefined ? undefined : decodeEntities(text)
}

/**
 * Returns the content of each element with this name; elements of one name must not be nested. Takes linear time
 * for any text, unlike a regular expression.
 */
export function listElements(xml: string, name: string): string[] {
  const [open, close] = [`<${name}>`, `</${name}>`]
  const contents: string[] = []
  for (let end = 0; ; ) {
    const start = xml.indexOf(open, end)
    end = start === -1 ? -1 : xml.indexOf(close, start)
    if (end === -1) return contents
    contents.push(xml.slice(start + open.length, end))
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (match, decimal, hex, name) => {
    if (name) return entities[name] ?? match
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
}
