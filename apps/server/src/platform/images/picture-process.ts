import { serveParentProcess } from '../threads/serve-parent-process.ts'
import { drawPictures, type Picture, type PictureSpec, type Refusal } from './draw.ts'
import { drawThumbnails, type Thumbnails } from './draw-thumbnails.ts'

/** A request for the pictures that `specs` describes, or for thumbnails if `specs` is absent. */
export interface PictureRequest {
  bytes: Uint8Array
  specs?: readonly PictureSpec[]
}

export type PictureResponse = Picture[] | Thumbnails | Refusal

serveParentProcess<PictureRequest, PictureResponse>(({ bytes, specs }) =>
  specs ? drawPictures(bytes, specs) : drawThumbnails(bytes),
)
