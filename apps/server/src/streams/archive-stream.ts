import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { writeAs } from '../identity/write-as.ts'
import { forgetNotificationStream } from '../organization/notification-streams.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { BeginAgain } from '../platform/database/transaction.ts'
import { accessStreamToChange } from './access.ts'
import { whoSees } from './audiences.ts'
import { deleteDefaultStream, deleteStreamFromGroups } from './defaults/queries.ts'
import { tellDefaultGroups, tellDefaultStreams } from './defaults/tell-defaults.ts'
import { streamsDeleted } from './events.ts'
import { endAllSubscriptions } from './members/change-members.ts'
import { deleteMutedTopicsOfStream } from './muted-topics/queries.ts'
import { archivedNames, foldName } from './names.ts'
import { listFreeNames, updateStreamRow } from './queries.ts'
import { tellBotsOfStream } from './tell-bots.ts'

export async function archiveStream(
  app: App,
  actor: Actor,
  { stream_id }: ParamsOf<typeof api.streams.archive>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await archive(tx, await accessStreamToChange(tx, actor, stream_id))
    return {}
  })
}

/** The stream and the directory of streams must be held. Messages stay; nobody reaches them. */
export async function archive(tx: Tx, stream: StreamRow): Promise<void> {
  const { organization_id, id } = stream
  const at = await endAllSubscriptions(tx, organization_id, id)
  const wasDefault = await deleteDefaultStream(tx, stream)
  const wasInGroup = await deleteStreamFromGroups(tx, stream)
  await deleteMutedTopicsOfStream(tx, organization_id, id)
  const name = await findNameForArchive(tx, stream)
  await updateStreamRow(tx, stream, { ...name, invite_only: true, archived_at: new Date() }).catch(
    (error: unknown) => {
      const isTaken = error instanceof ApiError && error.is('STREAM_NAME_TAKEN')
      throw isTaken ? new BeginAgain('someone else took that name meanwhile') : error
    },
  )
  if (wasDefault) await tellDefaultStreams(tx, organization_id)
  if (wasInGroup) await tellDefaultGroups(tx, organization_id)
  emit(tx, {
    ...streamsDeleted(organization_id, [stream], whoSees(stream)),
    effects: [{ kind: 'archive', stream: id, at }],
  })
  await forgetNotificationStream(tx, organization_id, id)
  await tellBotsOfStream(tx, stream, null)
}

async function findNameForArchive(tx: Tx, stream: StreamRow) {
  const names = archivedNames(stream.name)
  const free = await listFreeNames(tx, stream.organization_id, names.map(foldName))
  const chosen = names.find((each) => free.has(foldName(each)))
  if (chosen === undefined) throw new Error(`no free name for the archived stream "${stream.name}"`)
  return { name: chosen, folded_name: foldName(chosen) }
}
