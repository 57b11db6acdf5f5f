import type { Config } from '../../platform/config/settings.ts'

/** Longer URLs get no preview. They would also be too long for the index. */
const maxUrlBytes = 2_000

/**
 * Returns the links whose pages may be fetched, one link per page. Leaves out pages of this server.
 */
export function listPreviewableLinks(
  { external_url }: Pick<Config, 'external_url'>,
  origin: string,
  links: readonly string[],
): string[] {
  const ownHosts = [external_url, origin].flatMap((url) => (url ? (readHost(url) ?? []) : []))
  const byUrl = new Map<string, string>()
  for (const link of links) {
    const url = toPageUrl(link)
    if (url === undefined || byUrl.has(url)) continue
    if (!ownHosts.some((host) => isAtHost(new URL(url).hostname, host))) byUrl.set(url, link)
  }
  return [...byUrl.values()]
}

/**
 * Returns the URL to fetch for a link, without the fragment, so that links to parts of one page
 * have the same URL. Returns undefined for URLs that contain credentials, have another scheme than
 * HTTP or are too long.
 */
export function toPageUrl(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const url = new URL(link)
  const { protocol, username, password } = url
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return undefined
  url.hash = ''
  return Buffer.byteLength(url.href) > maxUrlBytes ? undefined : url.href
}

const readHost = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

/** Organizations have subdomains of the host, so subdomains belong to this server too. */
const isAtHost = (hostname: string, own: string): boolean =>
  withoutDot(hostname) === own || withoutDot(hostname).endsWith(`.${own}`)

const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '')
