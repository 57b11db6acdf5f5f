import type { OrganizationId, UserId } from '@oxbow/contract'
import type { CustomEmoji } from '@oxbow/markdown'
import { coherentCache } from '../../events/coherent-cache.ts'
import type { App } from '../../platform/app.ts'
import { listCustomEmoji } from './queries.ts'
import { getSourceUrl } from './views.ts'

const getCache = coherentCache<ReadonlyMap<string, CustomEmoji>>('custom emoji')
const noUser = 0 as UserId

/**
 * Returns the organization's active custom emoji with these names, for rendering. Unknown names are
 * skipped.
 */
export async function listUsableEmoji(
  app: App,
  organization_id: OrganizationId,
  names: readonly string[],
): Promise<CustomEmoji[]> {
  if (names.length === 0) return []
  const emojiByName = await getCache(app).get(`${organization_id}`, async () => {
    const rows = (await listCustomEmoji(app.db, organization_id)).filter((row) => !row.is_deactivated)
    const value = new Map(rows.map((row) => [row.name, { name: row.name, sourceUrl: getSourceUrl(row) }]))
    return { value, organization_id, user_id: noUser }
  })
  return names.flatMap((name) => emojiByName?.get(name) ?? [])
}
