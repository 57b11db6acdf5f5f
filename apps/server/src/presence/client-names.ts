import { aggregatedName } from '@oxbow/contract'

/** Names that have another meaning in lists of reports by program. */
const reservedNames = new Set([aggregatedName, '__proto__'])

/**
 * Returns the name under which a program's reports are stored. Desktop programs that wrap the web
 * client count as the web client.
 */
export function toReportingClient(client: string): string {
  if (/(desktop|electron)$|desktop app/i.test(client)) return 'website'
  return reservedNames.has(client) ? 'Unspecified' : client.toWellFormed()
}
