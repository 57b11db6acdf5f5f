import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { type ImageType, imageType } from './image-type.ts'

export interface PictureWish {
  width: number
  height: number
  /** What does not fit the shape is cut off (cover), stands on a transparent ground (contain), or keeps its own, and is never made larger (inside). */
  fit: 'cover' | 'contain' | 'inside'
  /** Whether one that moves still does. */
  animated?: boolean
}

/** Made by us from pixels alone: nothing else of what was uploaded is in it. */
export interface Picture {
  bytes: Uint8Array
  /** Also the ending of its name. */
  type: 'png' | 'gif' | 'webp'
}

export type Refusal = 'unreadable' | 'too large'

/** Of all frames together. Some kinds need memory for all of their pixels while they are read, up to eight bytes for each. */
const mostPixels = 25_000_000
const mostFrames = 500
const seconds = 10

sharp.cache(false)
sharp.concurrency(1)
// Nothing but the four decoders may run, whatever the bytes pretend to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['PngBuffer', 'JpegBuffer', 'NsgifBuffer', 'WebpBuffer'].map((name) => `VipsForeignLoad${name}`),
})

/** Each from the one before, which is less work: the largest comes first. */
export async function drawAll(
  bytes: Uint8Array,
  wishes: readonly PictureWish[],
): Promise<Picture[] | Refusal> {
  const pictures: Picture[] = []
  for (const wish of wishes) {
    const drawn = await draw(pictures.at(-1)?.bytes ?? bytes, wish)
    if (typeof drawn === 'string') return drawn
    pictures.push(drawn)
  }
  return pictures
}

async function draw(bytes: Uint8Array, wish: PictureWish): Promise<Picture | Refusal> {
  const type = imageType(bytes)
  if (!type) return 'unreadable'
  // Warnings are common in pictures that look well; what is cut off or broken is an error.
  const strict: SharpOptions = { failOn: 'error', limitInputPixels: mostPixels }
  try {
    const { width, height, pages = 1 } = await sharp(bytes, strict).metadata()
    const moves = wish.animated === true && pages > 1
    const frames = moves ? pages : 1
    if (frames > mostFrames || width * height * frames > mostPixels) return 'too large'
    const resized = sharp(bytes, { ...strict, animated: moves })
      .autoOrient()
      .resize({
        width: wish.width,
        height: wish.height,
        fit: wish.fit,
        background: '#00000000',
        withoutEnlargement: wish.fit === 'inside',
      })
      .timeout({ seconds })
    return await write(resized, moves ? type : 'png')
  } catch (error) {
    return /pixel limit|timeout/i.test(String(error)) ? 'too large' : 'unreadable'
  }
}

async function write(image: Sharp, type: ImageType): Promise<Picture> {
  if (type === 'gif') return { bytes: await image.gif().toBuffer(), type }
  if (type === 'webp') return { bytes: await image.webp().toBuffer(), type }
  return { bytes: await image.png().toBuffer(), type: 'png' }
}
