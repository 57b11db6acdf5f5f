const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a text as HTML that shows it. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
