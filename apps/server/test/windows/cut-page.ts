import type { api, ResponseOf } from '@oxbow/contract'

type Page = ResponseOf<typeof api.messages.list>

/**
 * Cuts a page like a server whose response has space for only `max` messages: the messages nearest to the anchor
 * remain.
 */
export function cutPage(page: Page, max: number): Page {
  const { messages, anchor } = page
  const older = messages.filter(({ id }) => id < anchor).reverse()
  const newer = messages.filter(({ id }) => id > anchor)
  const itself = messages.filter(({ id }) => id === anchor)
  const pairs = messages.map((_, distance) => [older[distance], newer[distance]])
  const nearest = [...itself, ...pairs.flat()].filter((message) => message !== undefined).slice(0, max)
  const isWhole = (side: Page['messages']) => side.every((message) => nearest.includes(message))
  return {
    ...page,
    messages: messages.filter((message) => nearest.includes(message)),
    found_oldest: page.found_oldest && isWhole(older),
    found_newest: page.found_newest && isWhole(newer),
  }
}
