import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces } from '../../platform/pieces.ts'
import { readSharedPresence } from './shared-presence.ts'

/** Maximum age of a list that is shared between requests. */
const maxAgeMs = 1_000

export async function listPresence(
  app: App,
  actor: Actor,
): Promise<InPieces<ResponseOf<typeof api.presence.list>>> {
  const presences = await readSharedPresence(app, actor, false, performance.now() - maxAgeMs)
  return { presences, server_timestamp: Date.now() / 1_000 }
}
