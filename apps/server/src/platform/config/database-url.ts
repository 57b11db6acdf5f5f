import { parseIntoClientConfig } from 'pg-connection-string'

/**
 * Describes what is wrong with the URL of the database, without its password; undefined if the URL is valid.
 */
export function findDatabaseUrlProblem(url: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(url)) return 'must start with postgres:// or postgresql://'
  if (namesSeveralHosts(url))
    return 'names several hosts, but Oxbow connects to one: give it an address that always leads to the primary, such as a virtual IP, a DNS name or a proxy'
  try {
    parseIntoClientConfig(url)
    return undefined
  } catch (error) {
    return `cannot be read as a URL like postgres://user:password@host:5432/oxbow: ${(error as Error).message}`
  }
}

/**
 * Returns whether the URL lists several hosts, which libpq allows: `//a,b/`, `//a:1,b:2/` or
 * `?host=a,b`.
 */
function namesSeveralHosts(url: string): boolean {
  const [, authority = '', query = ''] = /^\w+:\/\/([^/?#]*)[^?#]*(?:\?(.*))?$/s.exec(url) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return hosts.includes(',') || (new URLSearchParams(query).get('host')?.includes(',') ?? false)
}
