import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import { accessStreamByName } from '../../streams/access.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'

/**
 * Finds a default stream by name. Returns undefined for an empty name. Throws if the actor cannot
 * access the stream.
 */
export async function findDefaultStream(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<StreamWithMembership | undefined> {
  return name ? accessStreamByName(db, actor, name) : undefined
}
