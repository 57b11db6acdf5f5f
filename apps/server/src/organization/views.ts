import type { App } from '../platform/app.ts'
import { BoundedCache } from '../platform/bounded-cache.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'

const defaultDescription = 'This organization has not described itself yet.'

/**
 * Renders the description to HTML. Anyone may request it at any time, so results are cached by
 * text.
 */
export async function renderOrganizationDescription(
  app: App,
  { description }: OrganizationRow,
): Promise<string> {
  const text = description || defaultDescription
  const cached = renderedDescriptions.get(text)
  if (cached !== undefined) return cached
  const rendered = await app.markdown.renderShort(text)
  renderedDescriptions.set(text, rendered)
  return rendered
}

const renderedDescriptions = new BoundedCache<string, string>(1_000)

/** Returns whether the organization enables an authentication method. */
export function isMethodEnabled(
  method: string,
  organization: Pick<OrganizationRow, 'disabled_authentication_methods'> | undefined,
): boolean {
  return !organization?.disabled_authentication_methods.includes(method)
}
