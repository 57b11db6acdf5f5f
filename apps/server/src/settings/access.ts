import { displayEmail } from '../organization/display-email.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { getOwnAccount } from '../users/queries.ts'
import type { Owner } from './events.ts'

/** The actor as events about their settings name them. */
export async function accessOwner({ config }: App, tx: Tx, actor: Actor): Promise<Owner> {
  const { organization_id, id, ...account } = await getOwnAccount(tx, actor)
  return { organization_id, id, email: displayEmail(config, { id, ...account }) }
}
