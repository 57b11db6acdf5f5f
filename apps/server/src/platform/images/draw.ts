import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { type ImageType, imageType } from './image-type.ts'

export interface PictureSpec {
  width: number
  height: number
  /**
   * `cover` crops to the shape, `contain` adds a transparent background, `inside` keeps the shape of the
   * image and never enlarges it.
   */
  fit: 'cover' | 'contain' | 'inside'
  /** Whether an animated image keeps its animation. */
  animated?: boolean
}

/** An image that the server drew only from pixels, without any metadata of the upload. */
export interface Picture {
  bytes: Uint8Array
  /** Also the file extension. */
  type: 'png' | 'gif' | 'webp'
}

/** `too slow` may succeed later, when the machine has less to do; the other refusals are final. */
export type Refusal = 'unreadable' | 'too large' | 'too slow'

/** Limit for all frames together. Some decoders need up to eight bytes per pixel. */
export const maxPixels = 25_000_000
const maxFrames = 500
const timeoutSeconds = 10

/** Tolerates warnings, which many good images cause; truncated or corrupt images cause errors. */
export const failOnErrors: SharpOptions = { failOn: 'error' }

sharp.cache(false)
sharp.concurrency(1)
// Only these four decoders may run, regardless of the format that the bytes claim to have.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['PngBuffer', 'JpegBuffer', 'NsgifBuffer', 'WebpBuffer'].map((name) => `VipsForeignLoad${name}`),
})

/**
 * Draws one picture per spec. Each is drawn from the previous one, which is cheaper, so the largest must come
 * first.
 */
export async function drawPictures(
  bytes: Uint8Array,
  specs: readonly PictureSpec[],
): Promise<Picture[] | Refusal> {
  const pictures: Picture[] = []
  for (const spec of specs) {
    const drawn = await draw(pictures.at(-1)?.bytes ?? bytes, spec)
    if (typeof drawn === 'string') return drawn
    pictures.push(drawn)
  }
  return pictures
}

async function draw(bytes: Uint8Array, spec: PictureSpec): Promise<Picture | Refusal> {
  const type = imageType(bytes)
  if (!type) return 'unreadable'
  const strict: SharpOptions = { ...failOnErrors, limitInputPixels: maxPixels }
  try {
    const { width, height, pages = 1 } = await sharp(bytes, strict).metadata()
    const isAnimated = spec.animated === true && pages > 1
    const frames = isAnimated ? pages : 1
    if (frames > maxFrames || width * height * frames > maxPixels) return 'too large'
    const resized = sharp(bytes, { ...strict, animated: isAnimated })
      .autoOrient()
      .resize({
        width: spec.width,
        height: spec.height,
        fit: spec.fit,
        background: '#00000000',
        withoutEnlargement: spec.fit === 'inside',
      })
      .timeout({ seconds: timeoutSeconds })
    return await write(resized, isAnimated ? type : 'png')
  } catch (error) {
    return toRefusal(error)
  }
}

/** Returns the reason why a picture could not be drawn. */
export function toRefusal(error: unknown): Refusal {
  const text = String(error)
  if (/timeout/i.test(text)) return 'too slow'
  return /pixel limit/i.test(text) ? 'too large' : 'unreadable'
}

async function write(image: Sharp, type: ImageType): Promise<Picture> {
  if (type === 'gif') return { bytes: await image.gif().toBuffer(), type }
  if (type === 'webp') return { bytes: await image.webp().toBuffer(), type }
  return { bytes: await image.png().toBuffer(), type: 'png' }
}
