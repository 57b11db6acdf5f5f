import { ApiError, type Decision } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { recheckActor, writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { decideByAdministratorPolicy } from '../permissions.ts'
import { lockOrganization } from '../queries.ts'
import { listCustomEmoji } from './queries.ts'
import { viewCustomEmoji } from './views.ts'

/**
 * Runs `work` while the organization's row is locked, and emits the whole list afterwards. The lock
 * serializes changes, so each emitted list includes all earlier changes.
 */
export async function changeEmoji(
  app: App,
  actor: Actor,
  work: (tx: Tx, organization: OrganizationRow) => Promise<void>,
): Promise<object> {
  const { organization_id } = actor
  return writeAs(app, actor, async (tx) => {
    const organization = await lockOrganization(tx, organization_id)
    await recheckActor(tx, actor)
    await work(tx, organization)
    const realm_emoji = viewCustomEmoji(await listCustomEmoji(tx, organization_id))
    emit(tx, {
      organization_id,
      event: { type: 'realm_emoji', op: 'update', realm_emoji },
      to: { roles: 'everyone' },
      // Invalidates the emoji caches of all nodes.
      effects: [{ kind: 'organization' }],
    })
    return {}
  })
}

/**
 * Decides whether the account may change emoji. An organization can restrict this to
 * administrators.
 */
export function decideEmojiChange(
  { add_emoji_by_admins_only }: Pick<OrganizationRow, 'add_emoji_by_admins_only'>,
  { role }: Pick<Actor, 'role'>,
): Decision {
  return decideByAdministratorPolicy(add_emoji_by_admins_only, role)
}

export function requireEmojiPermission(...[organization, actor]: Parameters<typeof decideEmojiChange>): void {
  if (!decideEmojiChange(organization, actor).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}
