/** `1 commit`, `3 commits`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** A full stop, unless the line ends as a sentence does. */
export function sentence(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : `${words}.`
}

/** `pull_request_opened` → `pull request opened`. */
export function unscored(word: string): string {
  return word.replaceAll('_', ' ')
}
