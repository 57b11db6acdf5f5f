import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { html } from '../platform/html.ts'

const stockDescription = 'This organization has not described itself yet.'

/** HTML. Anyone may ask for it at any time, so what was rendered last is kept: the same text gives the same HTML. */
export async function organizationDescription(app: App, { description }: OrganizationRow): Promise<string> {
  const text = description || stockDescription
  const known = renderedDescriptions.get(text)
  if (known !== undefined) return known
  const rendered = (await app.markdown.render({ text }))?.html ?? html`<p>${text}</p>`.text
  if (renderedDescriptions.size >= 1_000) renderedDescriptions.clear()
  renderedDescriptions.set(text, rendered)
  return rendered
}

const renderedDescriptions = new Map<string, string>()

/** Methods of signing in that the organization leaves on. */
export function isMethodEnabled(
  method: string,
  organization: Pick<OrganizationRow, 'disabled_authentication_methods'> | undefined,
): boolean {
  return !organization?.disabled_authentication_methods.includes(method)
}
