import type { UploadedPicture } from '@oxbow/markdown'
import { signal } from '@preact/signals'

/** Pictures that were uploaded from this page, by path, so that the preview has their sizes. */
export const uploadedPictures = signal<ReadonlyMap<string, UploadedPicture>>(new Map())
