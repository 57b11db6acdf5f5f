import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireEditGroupsPermission } from './access.ts'

/**
 * Runs `work` in a transaction, after checking that the organization's policy lets the actor change
 * groups.
 */
export function changeGroups<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    await requireEditGroupsPermission(tx, actor)
    return work(tx)
  })
}
