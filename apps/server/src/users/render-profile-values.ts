import { countCharacters, FieldType, type FieldValue, type OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { ProfileFieldRow } from '../platform/database/tables.ts'
import { html } from '../platform/html.ts'
import { listProfileFields } from '../profile-fields/queries.ts'

/** The HTML of a value. */
export type RenderedValues = (text: string) => string

export function isMarkdown({ type }: Pick<ProfileFieldRow, 'type'>): boolean {
  return type === FieldType.shortText || type === FieldType.longText
}

const longest = 500

/**
 * Renders what may be stored, before anything is locked: rendering can be slow. What is too long or of no field is
 * refused later and need not be rendered.
 */
export async function renderProfileValues(
  app: App,
  organization_id: OrganizationId,
  values: readonly FieldValue[],
): Promise<RenderedValues> {
  const texts = new Map(values.map(({ id, value }) => [id, value]))
  const fields = texts.size === 0 ? [] : await listProfileFields(app.db, organization_id)
  const rendered = new Map<string, string>()
  for (const field of fields.filter(isMarkdown)) {
    const text = texts.get(field.id)
    if (typeof text !== 'string' || text === '' || countCharacters(text) > longest) continue
    const made = await app.markdown.render({ text })
    if (made) rendered.set(text, made.html)
  }
  // A field that came to be meanwhile, or HTML too long to keep: the text as it stands.
  return (text) => rendered.get(text) ?? html`<p>${text}</p>`.text
}
