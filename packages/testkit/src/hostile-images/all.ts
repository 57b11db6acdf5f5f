import { decompressionBombs } from './bombs.ts'
import { broken } from './broken.ts'
import { disguisedImages, imagesWithBadNames } from './disguised.ts'
import type { HostileImage } from './hostile-image.ts'
import { noImages } from './no-images.ts'

export { type HostileImage, mark, type Outcome } from './hostile-image.ts'

/** Returns hostile uploads, for every endpoint that takes pictures. */
export async function hostileImages(): Promise<HostileImage[]> {
  return [
    ...(await noImages()),
    ...decompressionBombs(),
    ...(await broken()),
    ...(await disguisedImages()),
    ...imagesWithBadNames(),
  ]
}

export interface FormFile {
  bytes: Uint8Array
  fileName?: string | undefined
  contentType?: string | undefined
}

/** Returns a form with one file, with a name and type that no form library would write. */
export function formOf({ bytes, fileName = 'me.png', contentType = 'image/png' }: FormFile) {
  const boundary = 'hostile-boundary-7f3a9'
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${fileName.replaceAll('"', '%22')}"`,
    ...(contentType ? [`Content-Type: ${contentType}`] : []),
    '\r\n',
  ]
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head.join('\r\n')), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
