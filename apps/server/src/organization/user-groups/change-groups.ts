import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireEditGroupsPermission } from './access.ts'

/**
 * Runs `work` in a transaction, after checking that the organization's policy lets the actor change
 * groups. With `takesRights` no member of a group sends a message by a right of the group until the
 * transaction ends.
 */
export function changeGroups<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  { takesRights = false } = {},
): Promise<Result> {
  const checked = async (tx: Tx) => {
    await requireEditGroupsPermission(tx, actor)
    return work(tx)
  }
  return writeAs(app, actor, checked, { roles: takesRights ? 'exclusive' : 'shared' })
}
