import { ApiError } from '@oxbow/contract'
import { LazyProcess, NoAnswer } from '../lazy-process.ts'
import type { Picture, PictureWish, Refusal } from './draw.ts'
import { imageType } from './image-type.ts'

export type { Picture, PictureWish } from './draw.ts'

export class NotAnImage extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, cause?: unknown) {
    super(`not a picture that we take: ${reason}`, { cause })
    this.name = 'NotAnImage'
    this.reason = reason
  }
}

interface Question {
  bytes: Uint8Array
  wishes: readonly PictureWish[]
}

/** Decoders are large and written in C: what happens to them must not happen to the node. */
const pictures = new LazyProcess<Question, Picture[] | Refusal>(
  new URL('./picture-process.ts', import.meta.url),
  // Whoever waits holds what they uploaded in memory.
  { patience: 20_000, mostWaiting: 20 },
)

/** Throws `NotAnImage` for what is none, is broken, or would be too much work. */
export async function makePicture(bytes: Uint8Array, wish: PictureWish): Promise<Picture> {
  const [picture] = await makePictures(bytes, [wish])
  return picture as Picture
}

/** One for each wish. Each is made from the one before, so the largest comes first. */
export async function makePictures(bytes: Uint8Array, wishes: readonly PictureWish[]): Promise<Picture[]> {
  if (!imageType(bytes)) throw new NotAnImage('unreadable')
  const answer = await pictures.ask({ bytes, wishes }).catch(refusalOf)
  if (typeof answer === 'string') throw new NotAnImage(answer)
  return answer
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof NoAnswer)) throw error
  if (error.reason === 'too many') throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 5 })
  return error.reason === 'too slow' ? 'too large' : 'unreadable'
}

/** For tests: the process that reads pictures now. */
export const picturesPid = (): number | undefined => pictures.pid
