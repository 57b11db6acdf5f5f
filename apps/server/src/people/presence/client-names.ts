import { aggregatedName } from '@oxbow/contract'

/**
 * Names that cannot be keys of the object with one report per client: the name of the aggregated
 * report, and `__proto__`, which would set the prototype.
 */
const reservedNames = new Set([aggregatedName, '__proto__'])

/**
 * Returns the client name under which presence reports are stored. Desktop programs that wrap the
 * web client count as the web client.
 */
export function toReportingClient(client: string): string {
  if (/(desktop|electron)$|desktop app/i.test(client)) return 'website'
  return reservedNames.has(client) ? 'Unspecified' : client.toWellFormed()
}
