/** Returns `1 commit` or `3 commits`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

/** Returns `a`, `a and b`, or `a, b and c`. */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** Adds a full stop unless the text already ends with a punctuation mark. */
export function sentence(words: string): string {
  return /[.!?…。！？]$/.test(words) ? words : `${words}.`
}

/** Returns `pull request opened` for `pull_request_opened`. */
export function replaceUnderscores(word: string): string {
  return word.replaceAll('_', ' ')
}
