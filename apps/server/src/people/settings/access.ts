import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { getOwnAccount } from '../users/queries.ts'
import type { SettingsOwner } from './events.ts'

/** Returns the actor in the form in which events about settings identify them. */
export async function getSettingsOwner({ config }: App, tx: Tx, actor: Actor): Promise<SettingsOwner> {
  const { organization_id, id, ...account } = await getOwnAccount(tx, actor)
  return { organization_id, id, email: displayEmail(config, { id, ...account }) }
}
