import { setTimeout } from 'node:timers/promises'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../platform/app.ts'
import { sandboxPolicy, sendFile } from '../../../platform/http/send-file.ts'
import { animatedFormat, stillFormat } from '../../../platform/images/thumbnail-formats.ts'
import { QueueFullError } from '../../../platform/threads/fair-queue.ts'
import type { Reader } from '../../visibility.ts'
import { thumbnailKey } from '../names.ts'
import type { AccessibleUpload } from '../queries.ts'
import { drawAnimationAgain, isAnimationLate, isDrawable, storeThumbnails } from './draw-thumbnails.ts'

/** Maximum time for which a request waits until a thumbnail is drawn. */
const maxWaitMs = 15_000

/**
 * Sends a thumbnail of an upload that the reader may read. Draws the thumbnail first if it is
 * missing. Throws `UPLOAD_NOT_FOUND` if there is no thumbnail in this format, and `RATE_LIMIT_HIT`
 * if it is not drawn in time.
 */
export async function sendThumbnail(
  app: App,
  reader: Reader,
  upload: AccessibleUpload,
  format: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isDrawable(upload) || (format !== stillFormat.name && format !== animatedFormat.name))
    throw new ApiError('UPLOAD_NOT_FOUND')
  const isLate = format === animatedFormat.name && isAnimationLate(upload)
  if (isLate) drawAnimationAgain(app, reader.user_id, upload)
  const send = async (formats: readonly string[]): Promise<boolean> => {
    // A picture without animation has only a still thumbnail, which serves both formats.
    const stored = formats.includes(format) ? format : formats.find((name) => name === stillFormat.name)
    if (!stored) return false
    const file = {
      key: thumbnailKey(upload.path_id, stored),
      type: 'image/webp',
      etag: `${upload.sha256.slice(0, 32)}-${stored}`,
      cacheControl: isLate ? lateCacheControl : 'private, immutable',
      headers: thumbnailHeaders,
    }
    return sendFile(app, file, request, reply)
  }
  if (await send(upload.thumbnail_formats ?? [])) return reply
  if (await send(await drawInTime(app, reader, upload))) return reply
  throw new ApiError('UPLOAD_NOT_FOUND')
}

/** A still picture that is sent for an animation which may be drawn soon. */
const lateCacheControl = 'private, max-age=300'

const thumbnailHeaders = {
  'content-disposition': 'inline',
  'content-security-policy': sandboxPolicy,
  'cross-origin-resource-policy': 'same-origin',
  // The URL may contain a key.
  'referrer-policy': 'no-referrer',
}

async function drawInTime(app: App, { user_id }: Reader, upload: AccessibleUpload): Promise<string[]> {
  const stopped = new AbortController()
  const timeout = setTimeout(maxWaitMs, undefined, { signal: stopped.signal, ref: false }).then(
    () => {
      throw new QueueFullError()
    },
    () => [],
  )
  try {
    return await Promise.race([storeThumbnails(app, user_id, upload), timeout])
  } catch (error) {
    if (error instanceof QueueFullError) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 })
    throw error
  } finally {
    stopped.abort()
  }
}
