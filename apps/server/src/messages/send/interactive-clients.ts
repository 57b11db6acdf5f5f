/** Product names of the interactive programs: the protocol's and the older one. */
const products = ['chat', 'zulip']
const programs = ['android', 'ios', 'desktop', 'mobile', 'electron', 'terminal']

const names = new Set([
  ...products.flatMap((product) => programs.map((program) => product + program)),
  'snipe',
  'website',
  'ios',
  'android',
])

/**
 * Returns whether a person operates this program and has therefore read what it sends. Messages of
 * scripts stay unread for their account.
 */
export function isInteractiveClient(client: string): boolean {
  const name = client.toLowerCase()
  return names.has(name) || name.includes('desktop app')
}
