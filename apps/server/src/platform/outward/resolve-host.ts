import { Resolver } from 'node:dns/promises'

/** Returns all addresses of a host name; rejects or returns none if it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>

/**
 * Asks name servers directly, those of the machine by default. Unlike `dns.lookup`, it occupies no
 * thread while a name server is slow, and knows neither /etc/hosts nor search domains, so names that
 * only this machine knows stay unknown.
 */
export function makeResolveHost(servers: readonly string[] = []): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [first] = answers
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses
  }
}
