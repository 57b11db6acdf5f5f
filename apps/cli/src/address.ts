import { loadConfig } from '@oxbow/server'

/** Where an organization of this subdomain is found, by the configuration; the root host where it is empty. */
export function addressOf(subdomain: string): string {
  const { external_url, port } = loadConfig().config
  const root = new URL(external_url ?? `http://localhost:${port}`)
  return `${root.protocol}//${subdomain && `${subdomain}.`}${root.host}`
}
