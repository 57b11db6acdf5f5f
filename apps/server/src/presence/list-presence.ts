import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { InPieces } from '../platform/pieces.ts'
import { readSharedList } from './lists.ts'

/** What was read a moment ago will do. */
const oldest = 1_000

export async function listPresence(
  app: App,
  { organization_id }: Actor,
): Promise<InPieces<ResponseOf<typeof api.presence.list>>> {
  const presences = await readSharedList(app, organization_id, false, performance.now() - oldest)
  return { presences, server_timestamp: Date.now() / 1_000 }
}
