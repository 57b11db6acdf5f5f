import { inheritedSettings, type OrganizationId, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { inheritedChanged } from './events.ts'
import { type InheritedSettings, listInheritingStreams, lockInheritedSettings } from './queries.ts'

interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

/**
 * Takes the locks for changing an account's inherited settings: the stream directory shared, and
 * the settings exclusively.
 */
export async function lockBeforeInheritedChange(tx: Tx, owner: AccountKey): Promise<void> {
  await lockStreamDirectory(tx, owner.organization_id, 'shared')
  await lockInheritedSettings(tx, owner)
}

/**
 * Emits the changed settings of streams that inherit them from the account. The caller must have
 * called `lockBeforeInheritedChange`.
 */
export async function emitInheritedChanges(
  tx: Tx,
  owner: AccountKey & { email: string },
  changed: { readonly [Name in keyof InheritedSettings]?: InheritedSettings[Name] | undefined },
): Promise<void> {
  for (const property of inheritedSettings) {
    const value = changed[property]
    if (value === undefined) continue
    const streams = await listInheritingStreams(tx, owner, property)
    const { organization_id, user_id: id, email } = owner
    if (streams.length > 0)
      emit(tx, inheritedChanged({ organization_id, id, email }, streams, { property, value }))
  }
}
