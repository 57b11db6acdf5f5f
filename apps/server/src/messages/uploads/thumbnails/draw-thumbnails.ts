import { buffer } from 'node:stream/consumers'
import { bytesPerMebibyte, type UploadId, type UserId } from '@oxbow/contract'
import type { App } from '../../../platform/app.ts'
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import type { UploadRow } from '../../../platform/database/tables.ts'
import { makeThumbnails, NotAnImage, type Thumbnails } from '../../../platform/images/make-picture.ts'
import { animatedFormat, stillFormat } from '../../../platform/images/thumbnail-formats.ts'
import { perNode } from '../../../platform/per-node.ts'
import { thumbnailKey, thumbnailKeys, uploadKey } from '../names.ts'
import {
  beginThumbnailAttempt,
  giveUpThumbnails,
  maxThumbnailAttempts,
  recordThumbnails,
  undoThumbnailAttempt,
} from '../queries.ts'
import { DrawingQueue } from './drawing-queue.ts'

/**
 * Maximum size of an original. Larger ones get no thumbnails, because the original is in memory
 * while its thumbnails are drawn.
 */
const maxOriginalBytes = 25 * bytesPerMebibyte

const drawableTypes = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** Returns whether thumbnails of an upload can be drawn. */
export function isDrawable({ content_type, size }: Pick<UploadRow, 'content_type' | 'size'>): boolean {
  return drawableTypes.has(content_type) && size <= maxOriginalBytes
}

/** Limits of the queue. A waiting entry takes little memory: a promise, not the picture. */
const limits = { maxWaitingPerAccount: 30, maxWaiting: 1_000 }

const drawings = perNode({
  name: 'thumbnail drawings',
  create: () => new DrawingQueue(limits),
  countEntries: ({ size }) => size,
  close: (queue) => queue.close(),
})

/**
 * Draws the thumbnails of a new upload in the background. If this fails, they are drawn later on
 * demand.
 */
export function drawThumbnailsSoon(app: App, upload: UploadRow): void {
  if (!isDrawable(upload)) return
  storeThumbnails(app, upload.owner_id, upload).catch((err: unknown) =>
    app.log.debug({ err }, 'the thumbnails of an upload are drawn later'),
  )
}

/**
 * Draws and stores the thumbnails of an upload on behalf of an account. Returns their formats, or
 * an empty list if the picture cannot be drawn. A node draws one picture at a time, alternating
 * between accounts. Throws `QueueFullError` if too many of the account's pictures are waiting.
 */
export async function storeThumbnails(
  app: App,
  account: UserId,
  upload: UploadRow,
  draw = makeThumbnails,
): Promise<string[]> {
  return drawings(app).run(account, upload.id, () => drawNow(app, upload, draw))
}

/** Returns whether the animated thumbnail is missing because drawing it took too long, and may be tried again. */
export function isAnimationLate({
  is_animated,
  thumbnail_formats,
  thumbnail_attempts,
}: Pick<UploadRow, 'is_animated' | 'thumbnail_formats' | 'thumbnail_attempts'>): boolean {
  const isMissing = is_animated && thumbnail_formats?.includes(animatedFormat.name) === false
  return Boolean(isMissing) && thumbnail_attempts > 0 && thumbnail_attempts < maxThumbnailAttempts
}

/** A machine that was too busy to draw an animation gets this long to become less busy. */
const minPauseMs = 5 * 60_000

/** Times of the last attempts to draw an animation again. After they were lost, it may be tried earlier. */
const lateAnimations = perNode({
  name: 'late animations',
  create: () => new BoundedCache<UploadId, number>(1_000),
  countEntries: ({ size }) => size,
})

/** Draws a late animation again in the background, unless this was tried in the last minutes. */
export function drawAnimationAgain(app: App, account: UserId, upload: UploadRow): void {
  const attempts = lateAnimations(app)
  if (Date.now() - (attempts.get(upload.id) ?? 0) < minPauseMs) return
  attempts.set(upload.id, Date.now())
  storeThumbnails(app, account, upload).catch((err: unknown) =>
    app.log.debug({ err }, 'an animation is drawn later'),
  )
}

async function drawNow(
  { db, files, log }: App,
  upload: UploadRow,
  draw: typeof makeThumbnails,
): Promise<string[]> {
  const { id, path_id } = upload
  // The attempt is counted first, so that the attempts for a picture that crashes the whole node
  // are limited.
  if (!(await beginThumbnailAttempt(db, upload))) return []
  try {
    const original = await files.get(uploadKey(path_id))
    if (!original) {
      await undoThumbnailAttempt(db, upload)
      return []
    }
    const drawn = await draw(await buffer(original.content))
    const pictures = listPictures(drawn)
    for (const [format, bytes] of pictures) await files.put(thumbnailKey(path_id, format), bytes)
    const thumbnail_formats = [...pictures.keys()]
    const { width, height, isAnimated: is_animated } = drawn
    const isRecorded = await recordThumbnails(
      db,
      upload,
      { width, height, is_animated, thumbnail_formats },
      !drawn.isMovingLate,
    )
    if (isRecorded) return thumbnail_formats
    for (const key of thumbnailKeys(path_id)) await files.remove(key)
    return []
  } catch (error) {
    if (!(error instanceof NotAnImage)) {
      await undoThumbnailAttempt(db, upload)
      throw error
    }
    log.debug({ upload: id, reason: error.reason }, 'a picture has no thumbnails')
    if (error.isCertain) await giveUpThumbnails(db, upload)
    return []
  }
}

function listPictures({ still, moving }: Thumbnails): Map<string, Uint8Array> {
  const pictures = new Map([[stillFormat.name, still]])
  if (moving) pictures.set(animatedFormat.name, moving)
  return pictures
}
