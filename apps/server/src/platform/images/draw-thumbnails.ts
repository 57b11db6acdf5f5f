import sharp, { type Sharp } from 'sharp'
import { failOnErrors, maxPixels, type Refusal, toRefusal } from './draw.ts'
import { imageType } from './image-type.ts'
import { stillFormat } from './thumbnail-formats.ts'

/** Thumbnails of a picture, drawn only from its pixels, without any metadata. */
export interface Thumbnails {
  /** Size of the original in pixels, as it is shown. */
  width: number
  height: number
  isAnimated: boolean
  still: Uint8Array
  /** Present only for an animated picture that is not too expensive to draw. */
  moving?: Uint8Array
  /** Whether drawing the animation took too long, so that it may succeed when the machine has less to do. */
  isMovingLate?: boolean
}

/**
 * More than for other formats: JPEGs are reduced while they are decoded, so large photographs need little
 * memory.
 */
const maxJpegPixels = 64_000_000
/** Longer animations are truncated. */
const maxFrames = 150
const maxMovingBytes = 4_194_304
/** Time limit for each of up to three drawing passes; the process is killed after 20 seconds. */
const timeoutSeconds = 6

/** Draws the thumbnails of a picture. Never enlarges it. */
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
    return { ...autoOrient, isAnimated: pages > 1, still, ...moving }
  } catch (error) {
    return toRefusal(error)
  }
}

/** Draws the first frames of an animation, or fewer if the result is too large; none if that fails. */
async function drawMoving(
  bytes: Uint8Array,
  frames: number,
): Promise<Pick<Thumbnails, 'moving' | 'isMovingLate'>> {
  const draw = (pages: number) =>
    resize(sharp(bytes, { ...failOnErrors, limitInputPixels: maxPixels, pages }))
      .webp({ effort: 1 })
      .toBuffer()
  try {
    const drawn = await draw(frames)
    if (drawn.length <= maxMovingBytes) return { moving: drawn }
    const fewer = Math.floor((frames * 0.8 * maxMovingBytes) / drawn.length)
    const truncated = fewer > 1 ? await draw(fewer) : undefined
    return truncated && truncated.length <= maxMovingBytes ? { moving: truncated } : {}
  } catch (error) {
    // A later frame is broken, or drawing took too long. The still thumbnail exists in any case.
    return toRefusal(error) === 'too slow' ? { isMovingLate: true } : {}
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
