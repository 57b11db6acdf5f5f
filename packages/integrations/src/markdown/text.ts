/** Words from outside must call nobody: mentions in them are broken by an invisible character. */
export function mute(words: string): string {
  return words.replace(/@(?=_?\*)/g, '@\u200b')
}

/** On one line, as it is. */
export function line(words: string): string {
  return mute(words.replace(/\s+/g, ' ').trim())
}

export function bold(words: string): string {
  return `**${line(words)}**`
}

/** A text that fits between as many backticks as it needs. */
export function code(words: string): string {
  const inside = words.replace(/\s+/g, ' ').trim()
  const longest = Math.max(0, ...(inside.match(/`+/g) ?? []).map(({ length }) => length))
  const marks = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${inside}\`` : `${marks} ${inside} ${marks}`
}

/** Without a URL just the label. */
export function link(label: string, url: string | undefined): string {
  const shown = line(label)
  return url === undefined ? shown : `[${balanced(shown)}](${encodeTarget(url)})`
}

/** Brackets that have no partner would end the label. */
function balanced(label: string): string {
  const characters = Array.from(label)
  const open: number[] = []
  for (const [place, character] of characters.entries()) {
    if (character === '[') open.push(place)
    if (character === ']' && open.pop() === undefined) characters[place] = ')'
  }
  for (const place of open) characters[place] = '('
  return characters.join('')
}

function encodeTarget(url: string): string {
  return url
    .trim()
    .replace(
      /[()<>"'\s\\]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}
