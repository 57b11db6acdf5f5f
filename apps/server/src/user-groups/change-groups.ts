import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { refuseUnlessMayEditGroups } from './access.ts'

/** Whoever may not change groups at all is told so before anything else. */
export function changeGroups<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    await refuseUnlessMayEditGroups(tx, actor)
    return work(tx)
  })
}
