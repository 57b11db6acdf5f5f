/** A size and type in which uploaded pictures are drawn again, as the API describes it to clients. */
export interface ThumbnailFormat {
  /** The last part of the thumbnail's URL. */
  name: string
  /** Maximum size of a thumbnail in pixels. It has the shape of the picture, and is never enlarged. */
  max_width: number
  max_height: number
  format: 'webp'
  /** Whether the thumbnail of an animated picture is animated too. */
  animated: boolean
}

const maxSides = { max_width: 840, max_height: 560 }

/** Shows the first frame of an animated picture. */
export const stillFormat: ThumbnailFormat = {
  name: '840x560.webp',
  ...maxSides,
  format: 'webp',
  animated: false,
}

export const animatedFormat: ThumbnailFormat = {
  name: '840x560-anim.webp',
  ...maxSides,
  format: 'webp',
  animated: true,
}

export const thumbnailFormats: readonly ThumbnailFormat[] = [animatedFormat, stillFormat]
