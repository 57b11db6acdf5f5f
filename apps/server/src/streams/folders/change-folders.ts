import {
  ApiError,
  type api,
  foldName,
  maxStreamFolders,
  type ParamsOf,
  type ResponseOf,
  type StreamFolderEvent,
  type StreamFolderId,
} from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { EventFields } from '../../events/event-fields.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamDirectory } from '../../platform/database/locks.ts'
import type { StreamFolderRow } from '../../platform/database/tables.ts'
import {
  findFolder,
  hasStreams,
  insertFolder,
  listFolders,
  orderFolders,
  updateFolderRow,
} from './queries.ts'
import { viewFolder } from './views.ts'

type Folders = typeof api.streamFolders

export async function listStreamFolders(
  { db }: App,
  { organization_id }: Actor,
  { include_archived }: ParamsOf<Folders['list']>,
): Promise<ResponseOf<Folders['list']>> {
  const folders = await listFolders(db, organization_id)
  return {
    channel_folders: folders.filter((folder) => include_archived || !folder.is_archived).map(viewFolder),
  }
}

export async function createFolder(
  app: App,
  actor: Actor,
  params: ParamsOf<Folders['create']>,
): Promise<ResponseOf<Folders['create']>> {
  const { organization_id, user_id } = actor
  const { description } = params
  const rendered_description = await app.markdown.renderShort(description)
  return changeFolders(app, actor, async (tx) => {
    const name = checkName(params.name)
    const folders = await listFolders(tx, organization_id)
    if (folders.length >= maxStreamFolders)
      throw new ApiError('TOO_MANY_STREAM_FOLDERS', { limit: maxStreamFolders })
    const folder = await insertFolder(tx, {
      organization_id,
      name,
      folded_name: foldName(name),
      description,
      rendered_description,
      position: (folders.at(-1)?.position ?? -1) + 1,
      creator_id: user_id,
    })
    emitFolders(tx, actor, { op: 'add', channel_folder: viewFolder(folder) })
    return { channel_folder_id: folder.id }
  })
}

export async function updateFolder(
  app: App,
  actor: Actor,
  params: ParamsOf<Folders['update']>,
): Promise<object> {
  const { channel_folder_id: id, description } = params
  const rendered_description = await app.markdown.renderShort(description ?? '')
  return changeFolders(app, actor, async (tx) => {
    const folder = await findFolder(tx, actor.organization_id, id)
    if (!folder) throw new ApiError('STREAM_FOLDER_INVALID')
    const name = params.name === undefined ? folder.name : checkName(params.name)
    const is_archived = params.is_archived ?? folder.is_archived
    if (is_archived && !folder.is_archived && (await hasStreams(tx, folder)))
      throw new ApiError('STREAM_FOLDER_HAS_STREAMS')
    const data = {
      ...(name !== folder.name && { name }),
      ...(description !== undefined &&
        description !== folder.description && { description, rendered_description }),
      ...(is_archived !== folder.is_archived && { is_archived }),
    }
    if (Object.keys(data).length === 0) return {}
    await updateFolderRow(tx, folder, { ...data, folded_name: foldName(name) })
    emitFolders(tx, actor, { op: 'update', channel_folder_id: id, data })
    return {}
  })
}

export async function reorderFolders(
  app: App,
  actor: Actor,
  { order }: ParamsOf<Folders['reorder']>,
): Promise<object> {
  const { organization_id } = actor
  return changeFolders(app, actor, async (tx) => {
    const ids = new Set((await listFolders(tx, organization_id)).map(({ id }) => id))
    if (order.length !== ids.size || !order.every((id) => ids.delete(id)))
      throw new ApiError('STREAM_FOLDER_ORDER_INVALID')
    await orderFolders(tx, organization_id, order)
    emitFolders(tx, actor, { op: 'reorder', order })
    return {}
  })
}

/** Returns the folder. Throws if a stream cannot be put into it. The stream directory must be locked. */
export async function requireFolder(tx: Tx, actor: Actor, id: StreamFolderId): Promise<StreamFolderRow> {
  const folder = await findFolder(tx, actor.organization_id, id)
  if (!folder || folder.is_archived) throw new ApiError('STREAM_FOLDER_INVALID')
  return folder
}

function checkName(rawName: string): string {
  const name = rawName.trim()
  if (name === '') throw new ApiError('STREAM_FOLDER_NAME_EMPTY')
  return name
}

/**
 * Runs `work` while the stream directory is locked exclusively, so that neither folders nor the streams in
 * them change meanwhile.
 */
function changeFolders<Result>(app: App, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return writeAs(app, actor, async (tx) => {
    await lockStreamDirectory(tx, actor.organization_id, 'exclusive')
    return work(tx)
  })
}

function emitFolders(tx: Tx, { organization_id }: Actor, change: EventFields<StreamFolderEvent>): void {
  emit(tx, { organization_id, event: { type: 'channel_folder', ...change }, to: { roles: 'everyone' } })
}
