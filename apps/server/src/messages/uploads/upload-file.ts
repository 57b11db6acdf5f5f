import { pipeline, Transform } from 'node:stream'
import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { writeAs } from '../../identity/write-as.ts'
import { type Actor, ActorChanged } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { afterCommit } from '../../platform/database/transaction.ts'
import { StorageUnavailable } from '../../platform/files/storage-refusal.ts'
import type { StreamedFileOf } from '../../platform/http/bind.ts'
import { bodyLimit } from '../../platform/http/request-input.ts'
import type { ArrivingFile, StoredContent } from '../../platform/http/streamed-form.ts'
import { imageType } from '../../platform/images/image-type.ts'
import { pictureHeadLength, readPictureHeader } from '../../platform/images/picture-header.ts'
import { attachmentChanged } from '../attachments/events.ts'
import { getUsedSpace, type UsedSpace } from '../attachments/queries.ts'
import { viewAttachment } from '../attachments/views.ts'
import { detectContentType, headLength, usualExtension } from './content-type.ts'
import { type DailyAllowance, findDailyLimitError, getDailyAllowance } from './daily-limit.ts'
import { cleanFileName, makePathId, uploadKey } from './names.ts'
import { deleteUnfinishedUpload, insertUnfinishedUpload, insertUpload, lockUsedSpace } from './queries.ts'
import { removeUnfinishedUpload } from './remove-files.ts'
import { drawThumbnailsSoon } from './thumbnails/draw-thumbnails.ts'

type Upload = typeof api.uploads.upload
type Params = ParamsOf<Upload> & StreamedFileOf<Upload>

/** A file in the file store that no committed row refers to yet. */
interface StoredUpload extends StoredContent {
  path_id: string
  file_name: string
  size: number
  content_type: string
  /** Size of a picture in pixels; null for other files, or if the picture's header is too long. */
  width: number | null
  height: number | null
  is_animated: boolean | null
}

/**
 * Used space and daily allowance, which limit the size of an upload in addition to the general
 * limit for files.
 */
interface Room {
  space: UsedSpace
  allowance: DailyAllowance | undefined
}

/**
 * Stores a file while it is being received, and then inserts its row. Until the commit, only the
 * row in `unfinished_upload` refers to the file, so that a job can remove the file if this node
 * dies.
 */
export async function uploadFile(
  app: App,
  actor: Actor,
  { mimetype, file }: Params,
): Promise<ResponseOf<Upload>> {
  if (app.config.max_upload_mib === 0) throw new ApiError('FILE_TOO_LARGE', { limit: 0 })
  const room: Room = {
    space: await getUsedSpace(app.db, actor.organization_id),
    allowance: await getDailyAllowance(app, app.db, actor),
  }
  // The form around the file is smaller than `bodyLimit`, so the file has at least this size.
  refuseBeyond(room, Math.max(0, (file.bodySize ?? 0) - bodyLimit))
  let path_id: string | undefined
  try {
    const stored = await file.readInto(async (arriving) => {
      const file_name = cleanFileName(arriving.name + usualExtension(mimetype ?? ''))
      path_id = makePathId(actor.organization_id, file_name)
      await insertUnfinishedUpload(app.db, { path_id, organization_id: actor.organization_id })
      return storeContent(app, { path_id, file_name }, arriving, mimetype, room)
    })
    if (!stored) throw new ApiError('NO_FILE')
    path_id = stored.path_id
    return await commitUpload(app, actor, stored)
  } catch (error) {
    if (path_id !== undefined && mayDiscardAfter(error)) await discard(app, path_id)
    throw error
  }
}

/**
 * Collects the first bytes of a file during its upload. Collects more of a picture, because its
 * header may be long.
 */
class FileHead {
  #chunks: Buffer[] = []
  #length = 0
  #wanted = headLength

  add(chunk: Buffer): void {
    if (this.#length >= this.#wanted) return
    const part = chunk.subarray(0, pictureHeadLength - this.#length)
    this.#chunks.push(part)
    this.#length += part.length
    if (this.#wanted === headLength && imageType(this.read())) this.#wanted = pictureHeadLength
  }

  read(): Buffer {
    const head = Buffer.concat(this.#chunks)
    this.#chunks = [head]
    return head
  }
}

async function storeContent(
  { files }: App,
  named: Pick<StoredUpload, 'path_id' | 'file_name'>,
  { content, declaredType }: ArrivingFile,
  mimetype: string | undefined,
  room: Room,
): Promise<StoredUpload> {
  const head = new FileHead()
  let size = 0
  const observed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      head.add(chunk)
      size += chunk.length
      done(findSizeError(room, size), chunk)
    },
  })
  // Errors are not handled here, because `put` rejects with the error of the pipeline.
  pipeline(content, observed, () => {})
  const put = await files.put(uploadKey(named.path_id), observed)
  const bytes = head.read()
  const content_type = detectContentType(bytes, named.file_name, mimetype ?? declaredType)
  const { width = null, height = null, isAnimated: is_animated = null } = readPictureHeader(bytes) ?? {}
  return { ...named, ...put, content_type, width, height, is_animated }
}

async function commitUpload(app: App, actor: Actor, stored: StoredUpload): Promise<ResponseOf<Upload>> {
  const { organization_id, user_id } = actor
  return writeAs(app, actor, async (tx) => {
    const space = await lockUsedSpace(tx, organization_id)
    refuseBeyond({ space, allowance: await getDailyAllowance(app, tx, actor) }, stored.size)
    if (!(await deleteUnfinishedUpload(tx, stored.path_id))) throw new ApiError('STORAGE_UNAVAILABLE')
    const row = await insertUpload(tx, { organization_id, owner_id: user_id, ...stored })
    const attachment = viewAttachment({ ...row, messages: [] })
    emit(tx, attachmentChanged(actor, 'add', attachment, space.bytes + stored.size))
    afterCommit(tx, () => drawThumbnailsSoon(app, row))
    return { uri: `/user_uploads/${stored.path_id}` }
  })
}

function mayDiscardAfter(error: unknown): boolean {
  // The request will be authorized again and then commits the same file.
  if (error instanceof ActorChanged) return false
  // The object store may still complete its request. The job removes the file later.
  return !(error instanceof StorageUnavailable)
}

/**
 * Removes the file of a refused upload. If this fails, the job for abandoned uploads removes the
 * file later.
 */
async function discard(app: App, path_id: string): Promise<void> {
  try {
    await removeUnfinishedUpload(app, path_id)
  } catch (err) {
    app.log.debug({ err }, 'a refused upload is removed later')
  }
}

function refuseBeyond(room: Room, size: number): void {
  const error = findSizeError(room, size)
  if (error) throw error
}

function findSizeError({ space: { bytes, upload_quota }, allowance }: Room, size: number): ApiError | null {
  if (upload_quota !== null && bytes + size > upload_quota) return new ApiError('UPLOAD_QUOTA_EXCEEDED')
  return findDailyLimitError(allowance, size)
}
