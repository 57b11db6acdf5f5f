/** Longer payloads are not repaired, because programs generate them without such mistakes. */
const maxRepairedCharacters = 100_000

/** Parses JSON, and accepts trailing commas, which people write into templates. */
export function parsePayload(text: string): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    return JSON.parse(json)
  } catch (error) {
    if (json.length > maxRepairedCharacters) throw error
    return JSON.parse(removeTrailingCommas(json))
  }
}

/** Removes trailing commas outside of strings. */
function removeTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found === ',' ? '' : found))
}
