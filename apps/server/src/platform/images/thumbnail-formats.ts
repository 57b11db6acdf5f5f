/** A size and type in which uploaded pictures are drawn again, as clients know it. */
export interface ThumbnailFormat {
  /** The last part of the thumbnail's URL. */
  name: string
  /** Pixels that a thumbnail has at most. It has the shape of the picture, and is never enlarged. */
  max_width: number
  max_height: number
  format: 'webp'
  /** Whether the thumbnail of a picture that moves moves too. */
  animated: boolean
}

const maxSides = { max_width: 840, max_height: 560 }

/** Shows the first frame of a picture that moves. */
export const stillFormat: ThumbnailFormat = {
  name: '840x560.webp',
  ...maxSides,
  format: 'webp',
  animated: false,
}

export const movingFormat: ThumbnailFormat = {
  name: '840x560-anim.webp',
  ...maxSides,
  format: 'webp',
  animated: true,
}

export const thumbnailFormats: readonly ThumbnailFormat[] = [movingFormat, stillFormat]
