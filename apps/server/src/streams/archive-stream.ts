import { ApiError, type api, foldName, listArchivedNames, type ParamsOf, Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { emitSightLost } from '../identity/accounts/emit-sight.ts'
import { writeAs } from '../identity/write-as.ts'
import { unsetNotificationStream } from '../organization/notification-streams.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { RetryTransaction } from '../platform/database/transaction.ts'
import { accessStreamToChange } from './access.ts'
import { getStreamAudience } from './audiences.ts'
import { emitDefaultGroups, emitDefaultStreams } from './defaults/emit-defaults.ts'
import { deleteDefaultStream, deleteStreamFromGroups } from './defaults/queries.ts'
import { emitBotDefaultStreams } from './emit-bot-default-streams.ts'
import { streamsDeleted } from './events.ts'
import { endAllSubscriptions } from './members/change-members.ts'
import { listUnusedNames, updateStreamRow } from './queries.ts'
import { deleteAttentionToStream } from './topic-attention/queries.ts'

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

/**
 * Archives a stream: ends all subscriptions and hides its messages without deleting them. The
 * stream and the stream directory must be locked exclusively.
 */
export async function archive(tx: Tx, stream: StreamRow): Promise<void> {
  const { organization_id, id } = stream
  const { at, guests } = await endAllSubscriptions(tx, organization_id, id)
  const wasDefault = await deleteDefaultStream(tx, stream)
  const wasInGroup = await deleteStreamFromGroups(tx, stream)
  await deleteAttentionToStream(tx, organization_id, id)
  const name = await findNameForArchive(tx, stream)
  await updateStreamRow(tx, stream, { ...name, invite_only: true, archived_at: new Date() }).catch(
    (error: unknown) => {
      const isTaken = error instanceof ApiError && error.is('STREAM_NAME_TAKEN')
      throw isTaken ? new RetryTransaction('someone else took that name meanwhile') : error
    },
  )
  if (wasDefault) await emitDefaultStreams(tx, organization_id)
  if (wasInGroup) await emitDefaultGroups(tx, organization_id)
  emit(tx, {
    ...streamsDeleted(organization_id, [stream], getStreamAudience(stream)),
    effects: [{ kind: 'archive', stream: id, at }],
  })
  const users = guests.map((guest) => ({ id: guest, role: Role.guest }))
  await emitSightLost(tx, organization_id, [{ stream: id, users }])
  await unsetNotificationStream(tx, organization_id, id)
  await emitBotDefaultStreams(tx, stream, null)
}

async function findNameForArchive(tx: Tx, stream: StreamRow) {
  const names = listArchivedNames(stream.name)
  const free = await listUnusedNames(tx, stream.organization_id, names.map(foldName))
  const chosen = names.find((name) => free.has(foldName(name)))
  if (chosen === undefined) throw new Error(`no free name for the archived stream "${stream.name}"`)
  return { name: chosen, folded_name: foldName(chosen) }
}
