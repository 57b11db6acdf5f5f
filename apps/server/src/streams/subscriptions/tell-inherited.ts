import { inheritedSettings, type OrganizationId, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { inheritedChanged } from './events.ts'
import { type InheritedSettings, listInheritingStreams, lockInheritedSettings } from './queries.ts'

interface Owner {
  organization_id: OrganizationId
  user_id: UserId
}

/** Before what applies to the streams of an account is changed: they keep their names, and who is in them waits. */
export async function holdInheriting(tx: Tx, owner: Owner): Promise<void> {
  await lockStreamDirectory(tx, owner.organization_id, 'shared')
  await lockInheritedSettings(tx, owner)
}

/** What changed for the streams whose settings follow those of the account. They must be held. */
export async function tellInherited(
  tx: Tx,
  owner: Owner & { email: string },
  changed: Partial<InheritedSettings>,
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
