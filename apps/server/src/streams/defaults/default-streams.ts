import type { api, ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import { accessStream, accessStreamMembers } from '../access.ts'
import { emitDefaultStreams } from './emit-defaults.ts'
import { deleteDefaultStream, insertDefaultStream } from './queries.ts'

type Params = ParamsOf<typeof api.defaultStreams.add>

export async function addDefaultStream(app: App, actor: Actor, { stream_id }: Params): Promise<object> {
  return changeDefaultStreams(app, actor, async (tx) => {
    const stream = await accessStream(tx, actor, stream_id)
    if (await insertDefaultStream(tx, stream)) await emitDefaultStreams(tx, actor.organization_id)
    return {}
  })
}

export async function removeDefaultStream(app: App, actor: Actor, { stream_id }: Params): Promise<object> {
  return changeDefaultStreams(app, actor, async (tx) => {
    // Administrators may remove a stream that they are not subscribed to.
    const stream = await accessStreamMembers(tx, actor, stream_id)
    await deleteDefaultStream(tx, stream)
    await emitDefaultStreams(tx, actor.organization_id)
    return {}
  })
}

/**
 * Runs `work` while the stream directory is locked exclusively, so that the lists of default
 * streams cannot change meanwhile.
 */
export function changeDefaultStreams<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    await lockStreamDirectory(tx, actor.organization_id, 'exclusive')
    return work(tx)
  })
}
