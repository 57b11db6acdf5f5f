/**
 * Returns the item that gets the focus after a key press in a menu, list or row of tabs; undefined
 * for other keys. A letter moves to the next item whose text begins with it.
 */
export function findNextItem(key: string, current: number, texts: readonly string[]): number | undefined {
  const count = texts.length
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count
    case 'ArrowUp':
      return current <= 0 ? count - 1 : current - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return key.length === 1 && key !== ' ' ? findByLetter(key.toLowerCase(), current, texts) : undefined
  }
}

function findByLetter(letter: string, current: number, texts: readonly string[]): number | undefined {
  for (let step = 1; step <= texts.length; step++) {
    const index = (current + step) % texts.length
    if (texts[index]?.trim().toLowerCase().startsWith(letter)) return index
  }
  return undefined
}
