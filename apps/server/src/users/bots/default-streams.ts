import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import { accessStreamByName } from '../../streams/access.ts'
import type { StreamWithMembership } from '../../streams/queries.ts'

/** A stream that whoever makes or changes the bot can access; none where no name is given. */
export async function findDefaultStream(
  db: Db,
  actor: Actor,
  name: string | undefined,
): Promise<StreamWithMembership | undefined> {
  return name ? accessStreamByName(db, actor, name) : undefined
}
