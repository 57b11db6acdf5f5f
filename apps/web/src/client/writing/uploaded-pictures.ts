import type { UploadedPicture } from '@oxbow/markdown'
import { signal } from '@preact/signals'

/** Pictures that were uploaded from this page, by path. The preview needs their sizes. */
export const uploadedPictures = signal<ReadonlyMap<string, UploadedPicture>>(new Map())

const pathStart = '/user_uploads/'

/** Records the size of an uploaded picture. Other files are ignored. */
export async function notePicture(file: File, uri: string): Promise<void> {
  if (!file.type.startsWith('image/') || !uri.startsWith(pathStart)) return
  try {
    const path = decodeURIComponent(uri.slice(pathStart.length))
    const { width, height } = await createImageBitmap(file)
    const picture = { path, width, height, contentType: file.type }
    uploadedPictures.value = new Map(uploadedPictures.peek()).set(path, picture)
  } catch {
    // The browser cannot decode the picture; only the server can measure it.
  }
}
