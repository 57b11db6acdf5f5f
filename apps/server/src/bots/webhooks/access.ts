import { ApiError, type UserId } from '@oxbow/contract'
import { type Integration, loadService } from '@oxbow/integrations'
import { filterSeen } from '../../identity/accounts/sight.ts'
import { getChangeableBot } from '../../people/users/bots/access.ts'
import { findUser } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'

export async function getIntegration(name: string): Promise<Integration> {
  const found = await loadService(name)
  if (!found) throw new ApiError('UNKNOWN_INTEGRATION', { integration: name })
  return found
}

/** Loads a bot. Throws unless the actor may see its deliveries: as its owner or as an administrator. */
export async function loadAccessibleBot(db: Db, actor: Actor, id: UserId): Promise<UserRow> {
  const isSeen = (await filterSeen(db, actor, [id])).has(id)
  return getChangeableBot(actor, isSeen ? await findUser(db, actor.organization_id, id) : undefined)
}
