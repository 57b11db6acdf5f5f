import { findStartedModule } from '@oxbow/assets'
import { ApiError } from '@oxbow/contract'
import { LazyProcess, NoResponseError } from '../threads/lazy-process.ts'
import type { Picture, PictureSpec, Refusal } from './draw.ts'
import type { Thumbnails } from './draw-thumbnails.ts'
import { imageType } from './image-type.ts'
import type { PictureRequest, PictureResponse } from './picture-process.ts'

export type { Picture, PictureSpec } from './draw.ts'
export type { Thumbnails } from './draw-thumbnails.ts'

export class NotAnImage extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, cause?: unknown) {
    super(`the image cannot be used: ${reason}`, { cause })
    this.name = 'NotAnImage'
    this.reason = reason
  }

  /** Whether the image can never be drawn. If false, the decoder crashed or was too slow. */
  get isCertain(): boolean {
    return this.reason !== 'too slow' && !(this.cause instanceof NoResponseError)
  }
}

/** Runs decoders in a separate process, because they are large C libraries and may crash. */
const pictures = new LazyProcess<PictureRequest, PictureResponse>(
  findStartedModule('picture-process'),
  // Only a few calls may wait, because waiting uploads are kept in memory.
  { timeoutMs: 20_000, maxWaiting: 20 },
)

/**
 * Draws a picture. Throws `NotAnImage` if the bytes are not an image, are corrupt, or are too expensive to
 * decode.
 */
export async function makePicture(bytes: Uint8Array, spec: PictureSpec): Promise<Picture> {
  const [picture] = await makePictures(bytes, [spec])
  return picture as Picture
}

/**
 * Draws one picture per spec. Each is made from the previous one, so the largest must come first.
 */
export async function makePictures(bytes: Uint8Array, specs: readonly PictureSpec[]): Promise<Picture[]> {
  return (await ask({ bytes, specs })) as Picture[]
}

/**
 * Draws the thumbnails of a picture. Throws `NotAnImage` if the bytes are not an image, are corrupt, or are
 * too expensive to decode.
 */
export async function makeThumbnails(bytes: Uint8Array): Promise<Thumbnails> {
  return (await ask({ bytes })) as Thumbnails
}

async function ask(question: PictureRequest): Promise<Picture[] | Thumbnails> {
  if (!imageType(question.bytes)) throw new NotAnImage('unreadable')
  const response = await pictures.ask(question).catch(refuseWithoutResponse)
  if (typeof response === 'string') throw new NotAnImage(response)
  return response
}

function refuseWithoutResponse(error: unknown): never {
  if (!(error instanceof NoResponseError)) throw error
  if (error.reason === 'too many') throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 })
  throw new NotAnImage(error.reason === 'too slow' ? 'too slow' : 'unreadable', error)
}

/** Returns the id of the decoder's process, for tests. */
export const picturesPid = (): number | undefined => pictures.pid
