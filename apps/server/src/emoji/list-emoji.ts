import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { listCustomEmoji } from './queries.ts'
import { viewCustomEmoji } from './views.ts'

export async function listEmoji(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<typeof api.emoji.list>> {
  return { emoji: viewCustomEmoji(await listCustomEmoji(db, organization_id)) }
}
