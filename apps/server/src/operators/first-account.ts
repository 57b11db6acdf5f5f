import { makeFirstAccountUrl } from '../joining/first-account/keys.ts'
import { hasAccounts } from '../joining/first-account/queries.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import type { App } from '../platform/app.ts'

/**
 * Returns the link of the page that creates the first account of an organization; undefined if the
 * organization has an account.
 */
export async function findFirstAccountLink(
  app: App,
  { subdomain, origin }: { subdomain: string; origin: string },
): Promise<string | undefined> {
  const { id } = await getOrganizationAt(app, subdomain)
  if (await hasAccounts(app.db, id)) return undefined
  return makeFirstAccountUrl(app.secrets, id, origin)
}
