import { Resolver } from 'node:dns/promises'

/** Returns all addresses of a host name; rejects or returns an empty list if it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>

/**
 * Returns a function that queries name servers directly, by default those of the machine. Unlike
 * `dns.lookup`, it occupies no thread while a name server is slow. It uses neither /etc/hosts nor search
 * domains, so it does not resolve names that only this machine knows.
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
