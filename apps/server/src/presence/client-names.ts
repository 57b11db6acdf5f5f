import { aggregatedName } from '@oxbow/contract'

/** Names that something else stands under, wherever reports are listed by program. */
const reserved = new Set([aggregatedName, '__proto__'])

/** The name a program's reports are kept under. One that shows the web client in a window of its own is the web client. */
export function reportingName(client: string): string {
  if (/(desktop|electron)$|desktop app/i.test(client)) return 'website'
  return reserved.has(client) ? 'Unspecified' : client.toWellFormed()
}
