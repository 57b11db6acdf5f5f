/**
 * Returns the addresses in a text like `Iris Gardener <iris@example.com>, otto@example.com`,
 * without duplicates.
 */
export function readAddresses(text: string): string[] {
  const byFolded = new Map<string, string>()
  for (const part of text.split(/[,\n]/)) {
    const address = (/<([^<>]*)>/.exec(part)?.[1] ?? part).trim()
    if (address !== '' && !byFolded.has(address.toLowerCase())) byFolded.set(address.toLowerCase(), address)
  }
  return [...byFolded.values()]
}
