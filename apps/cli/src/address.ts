import { loadConfig } from '@oxbow/server'

/**
 * Returns the configured URL of the organization with this subdomain. The root host has an empty
 * subdomain.
 */
export function getOrganizationUrl(subdomain: string): string {
  const { external_url, port } = loadConfig().config
  const root = new URL(external_url ?? `http://localhost:${port}`)
  return `${root.protocol}//${subdomain && `${subdomain}.`}${root.host}`
}
