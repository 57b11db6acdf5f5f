import { emit } from '../../events/emit.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import { lockOrganization, updateOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { organizationDeactivated } from './events.ts'

/**
 * Deactivates the organization. Keeps accounts, streams and messages, so that the operator can
 * reactivate it.
 */
export async function deactivateOrganization(app: App, actor: Actor): Promise<object> {
  const { organization_id } = actor
  // Because of the exclusive lock, concurrent writes either finish before this transaction or are
  // refused.
  return writeAs(
    app,
    actor,
    async (tx) => {
      await lockOrganization(tx, organization_id)
      await recheckActor(tx, actor)
      await updateOrganization(tx, organization_id, { deactivated_at: new Date() })
      emit(tx, organizationDeactivated(organization_id))
      return {}
    },
    { roles: 'exclusive' },
  )
}
