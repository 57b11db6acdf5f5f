import { type BotCatalog, openCatalog } from '../users/bots/catalog.ts'

/** Incoming webhooks are made for integrations that there are. What each needs is in its URL, so any configuration does. */
export function botCatalog(integrations: readonly string[]): BotCatalog {
  const names = new Set(integrations)
  return { ...openCatalog, findIntegration: (name) => (names.has(name) ? new Map() : undefined) }
}
