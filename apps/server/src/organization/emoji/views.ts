import type { CustomEmojiById } from '@oxbow/contract'
import type { CustomEmojiRow } from '../../platform/database/tables.ts'

/** Returns the public URL of an emoji's picture. */
export function getSourceUrl({
  organization_id,
  file,
}: Pick<CustomEmojiRow, 'organization_id' | 'file'>): string {
  return `/user_avatars/${organization_id}/emoji/images/${file}`
}

/** Returns the storage key of an emoji's picture. */
export function getEmojiPictureKey({
  organization_id,
  file,
}: Pick<CustomEmojiRow, 'organization_id' | 'file'>): string {
  return `emoji/${organization_id}/${file}`
}

export function viewCustomEmoji(rows: readonly CustomEmojiRow[]): CustomEmojiById {
  const views = rows.map((row) => {
    const id = String(row.id)
    const { name, author_id, is_deactivated: deactivated } = row
    return [id, { id, name, source_url: getSourceUrl(row), deactivated, author_id }]
  })
  return Object.fromEntries(views)
}
