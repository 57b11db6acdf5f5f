import { answerParent } from '../answer-parent.ts'
import { drawPictures, type Picture, type PictureSpec, type Refusal } from './draw.ts'
import { drawThumbnails, type Thumbnails } from './draw-thumbnails.ts'

/** With specs, asks for pictures; without, for thumbnails. */
export interface PictureQuestion {
  bytes: Uint8Array
  specs?: readonly PictureSpec[]
}

export type PictureAnswer = Picture[] | Thumbnails | Refusal

answerParent<PictureQuestion, PictureAnswer>(({ bytes, specs }) =>
  specs ? drawPictures(bytes, specs) : drawThumbnails(bytes),
)
