import { countCharacters, FieldType, type FieldValue, type OrganizationId } from '@oxbow/contract'
import { listProfileFields } from '../../organization/profile-fields/queries.ts'
import type { App } from '../../platform/app.ts'
import type { ProfileFieldRow } from '../../platform/database/tables.ts'
import { html } from '../../platform/html.ts'

/** Returns the HTML of a value. */
export type GetRenderedValue = (text: string) => string

export function isMarkdown({ type }: Pick<ProfileFieldRow, 'type'>): boolean {
  return type === FieldType.shortText || type === FieldType.longText
}

const maxTextLength = 500

/**
 * Renders the Markdown values among `values`. This is slow, so call it before taking locks. Values
 * that are too long or belong to unknown fields are skipped, because they are refused later.
 */
export async function renderProfileValues(
  app: App,
  organization_id: OrganizationId,
  values: readonly FieldValue[],
): Promise<GetRenderedValue> {
  const texts = new Map(values.map(({ id, value }) => [id, value]))
  const fields = texts.size === 0 ? [] : await listProfileFields(app.db, organization_id)
  const rendered = new Map<string, string>()
  for (const field of fields.filter(isMarkdown)) {
    const text = texts.get(field.id)
    if (typeof text !== 'string' || text === '' || countCharacters(text) > maxTextLength) continue
    rendered.set(text, await app.markdown.renderShort(text))
  }
  // A value was not rendered if its field was created after the call. Then the text is shown as typed.
  return (text) => rendered.get(text) ?? html`<p>${text}</p>`.text
}
