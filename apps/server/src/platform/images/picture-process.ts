import { serveParentProcess } from '../serve-parent-process.ts'
import { drawPictures, type Picture, type PictureSpec, type Refusal } from './draw.ts'
import { drawThumbnails, type Thumbnails } from './draw-thumbnails.ts'

/** With specs, asks for pictures; without, for thumbnails. */
export interface PictureQuestion {
  bytes: Uint8Array
  specs?: readonly PictureSpec[]
}

export type PictureResponse = Picture[] | Thumbnails | Refusal

serveParentProcess<PictureQuestion, PictureResponse>(({ bytes, specs }) =>
  specs ? drawPictures(bytes, specs) : drawThumbnails(bytes),
)
