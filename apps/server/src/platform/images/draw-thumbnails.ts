import sharp, { type Sharp } from 'sharp'
import { failOnErrors, maxPixels, type Refusal, toRefusal } from './draw.ts'
import { imageType } from './image-type.ts'
import { stillFormat } from './thumbnail-formats.ts'

/** Thumbnails of a picture, drawn from its pixels alone, without any metadata. */
export interface Thumbnails {
  /** Pixels of the original as it is shown. */
  width: number
  height: number
  isAnimated: boolean
  still: Uint8Array
  /** Present only for an animated picture that is not too expensive to draw. */
  moving?: Uint8Array
}

/** JPEGs are reduced while they are decoded, so large photographs need little memory. */
const maxJpegPixels = 64_000_000
/** A longer animation is cut. */
const maxFrames = 150
const maxMovingBytes = 4_194_304
/** For each of up to three passes; the process is killed after 20 seconds. */
const timeoutSeconds = 6

/** Draws a picture within the limits of thumbnails. Never enlarges it. */
export async function drawThumbnails(bytes: Uint8Array): Promise<Thumbnails | Refusal> {
  const type = imageType(bytes)
  if (!type) return 'unreadable'
  const limitInputPixels = type === 'jpeg' ? maxJpegPixels : maxPixels
  try {
    const { width, height, pages = 1, autoOrient } = await sharp(bytes, failOnErrors).metadata()
    if (width * height > limitInputPixels) return 'too large'
    const still = await resize(sharp(bytes, { ...failOnErrors, limitInputPixels }))
      .webp()
      .toBuffer()
    const frames = Math.min(pages, maxFrames, Math.floor(maxPixels / (width * height)))
    const moving = frames > 1 ? await drawMoving(bytes, frames) : undefined
    return { ...autoOrient, isAnimated: pages > 1, still, ...(moving && { moving }) }
  } catch (error) {
    return toRefusal(error)
  }
}

/** Draws the first frames; fewer if they take too many bytes; undefined if that fails. */
async function drawMoving(bytes: Uint8Array, frames: number): Promise<Uint8Array | undefined> {
  const draw = (pages: number) =>
    resize(sharp(bytes, { ...failOnErrors, limitInputPixels: maxPixels, pages }))
      .webp({ effort: 1 })
      .toBuffer()
  try {
    const drawn = await draw(frames)
    if (drawn.length <= maxMovingBytes) return drawn
    const fewer = Math.floor((frames * 0.8 * maxMovingBytes) / drawn.length)
    const cut = fewer > 1 ? await draw(fewer) : undefined
    return cut && cut.length <= maxMovingBytes ? cut : undefined
  } catch {
    // A later frame is broken, or they take too long. The still picture was drawn.
    return undefined
  }
}

function resize(image: Sharp): Sharp {
  return image
    .autoOrient()
    .resize({
      width: stillFormat.max_width,
      height: stillFormat.max_height,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .timeout({ seconds: timeoutSeconds })
}
