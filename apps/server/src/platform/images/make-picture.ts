import { ApiError } from '@oxbow/contract'
import { LazyProcess, NoAnswerError } from '../lazy-process.ts'
import type { Picture, PictureSpec, Refusal } from './draw.ts'
import { imageType } from './image-type.ts'

export type { Picture, PictureSpec } from './draw.ts'

export class NotAnImage extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, cause?: unknown) {
    super(`the image cannot be used: ${reason}`, { cause })
    this.name = 'NotAnImage'
    this.reason = reason
  }
}

interface Question {
  bytes: Uint8Array
  specs: readonly PictureSpec[]
}

/** Runs decoders in a process of their own, because they are large C libraries and may crash. */
const pictures = new LazyProcess<Question, Picture[] | Refusal>(
  new URL('./picture-process.ts', import.meta.url),
  // Few may wait, because waiting uploads are held in memory.
  { timeoutMs: 20_000, maxWaiting: 20 },
)

/**
 * Draws a picture. Throws `NotAnImage` for bytes that are no image, corrupt or too expensive to
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
  if (!imageType(bytes)) throw new NotAnImage('unreadable')
  const answer = await pictures.ask({ bytes, specs }).catch(toRefusal)
  if (typeof answer === 'string') throw new NotAnImage(answer)
  return answer
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof NoAnswerError)) throw error
  if (error.reason === 'too many') throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 })
  return error.reason === 'too slow' ? 'too large' : 'unreadable'
}

/** Returns the id of the decoder's process, for tests. */
export const picturesPid = (): number | undefined => pictures.pid
