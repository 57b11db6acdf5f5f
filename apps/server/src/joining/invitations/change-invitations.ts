import { type OrganizationId, Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { recheckActor, type WriteOptions, writeAs } from '../../identity/write-as.ts'
import { lockOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'

/**
 * Runs a change of invitations while the organization's row is locked, so that concurrent requests
 * together cannot exceed the daily limit of e-mails.
 */
export async function changeInvitations<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx, organization: OrganizationRow) => Promise<Result>,
  options: WriteOptions = {},
): Promise<Result> {
  const held = async (tx: Tx) => {
    const organization = await lockOrganization(tx, actor.organization_id)
    await recheckActor(tx, actor)
    return work(tx, organization)
  }
  return writeAs(app, actor, held, options)
}

/** Notifies administrators, who see the invitations of all users. */
export function emitInvitesChanged(tx: Tx, organization_id: OrganizationId): void {
  const to = { roles: [Role.owner, Role.administrator] }
  emit(tx, { organization_id, event: { type: 'invites_changed' }, to })
}
