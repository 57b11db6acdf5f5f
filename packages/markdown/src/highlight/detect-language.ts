const markedFirstLine = /^[ ]*(?::::|#!)[ ]*([A-Za-z0-9_+-]+)[ ]*(?:\n|$)/
/** Matches the name of the program without its version. A name of digits only is one digit. */
const pathFirstLine = /^#!\/(?:[^\s/]+\/)*(?:env +)?([A-Za-z0-9_+-]*[A-Za-z_+-]|[0-9])[0-9.]*(?:\s|$)/
const plain = new Set(['text', 'none', 'plain', 'plaintext'])

/**
 * Returns the language of a code block, from the fence or from the first line. A first line with
 * `:::lang` or `#!lang` is removed from the code; one with the path of an interpreter is part of
 * the program and stays.
 */
export function detectLanguage(content: string, fenceLanguage: string): { language: string; code: string } {
  const fenceName = fenceLanguage.toLowerCase()
  if (fenceName !== '') return { language: plain.has(fenceName) ? '' : fenceName, code: content }
  const marked = markedFirstLine.exec(content)
  if (marked) return { language: (marked[1] ?? '').toLowerCase(), code: content.slice(marked[0].length) }
  const path = pathFirstLine.exec(content)
  return { language: (path?.[1] ?? '').toLowerCase(), code: content }
}
