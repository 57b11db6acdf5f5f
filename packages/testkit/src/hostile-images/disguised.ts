import sharp from 'sharp'
import { pngChunk, pngOf } from '../picture.ts'
import { createNoiseImage, gif, gifComment, smallPng, withSegment } from './formats.ts'
import { type HostileImage, mark, script } from './hostile-image.ts'

const archive = `PK\x03\x04${mark}PK\x05\x06`

/**
 * Returns pictures that are also valid files of another format. The server accepts them, and keeps
 * nothing of the other format.
 */
export async function disguisedImages(): Promise<HostileImage[]> {
  const [png, jpeg, webp] = [smallPng(), await createNoiseImage('jpeg'), await createNoiseImage('webp')]
  const textChunk = (text: string) => pngChunk('tEXt', Buffer.from(`Comment\0${text}`))
  const and = (picture: Uint8Array, tail: string) => Buffer.concat([picture, Buffer.from(tail, 'latin1')])
  const exif = {
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    IFD0: { Copyright: mark },
  }
  const pictures: Record<string, Uint8Array> = {
    // The two bytes of the width are `/*`, which open a comment.
    'a GIF that is also a script': and(gif(0x2a2f, 1, 1, gifComment(mark)), `*/=1;alert('${mark}')`),
    'a GIF with HTML in its comment': gif(8, 8, 1, gifComment(script)),
    'a GIF followed by a ZIP archive': and(gif(8, 8), archive),
    'a PNG followed by a ZIP archive': and(png, archive),
    'a PNG followed by HTML': and(png, script),
    'a PNG followed by PHP code': and(png, `<?php /* ${mark} */ system($_GET["c"]); ?>`),
    'a PNG followed by four megabytes': and(png, mark.repeat(230_000)),
    'a PNG with HTML in a text chunk': smallPng(textChunk(script)),
    'a PNG with PHP code in a text chunk': smallPng(textChunk(`<?php ${mark} ?>`)),
    'a PNG with an unknown chunk': smallPng(pngChunk('evIl', Buffer.from(mark))),
    'a PNG followed by another PNG': and(png, `${smallPng(textChunk(mark)).toString('latin1')}`),
    'a JPEG with HTML in its comment': withSegment(jpeg, 0xfe, script),
    'a JPEG with HTML in its first segment': withSegment(jpeg, 0xe0, script),
    'a JPEG with a script in its XMP metadata': withSegment(
      jpeg,
      0xe1,
      `http://ns.adobe.com/xap/1.0/\0<x>${script}</x>`,
    ),
    'a JPEG followed by HTML': and(jpeg, script),
    'a JPEG followed by a ZIP archive': and(jpeg, archive),
    'a JPEG with a GPS position': await sharp(jpeg).jpeg().withExif(exif).toBuffer(),
    'a WebP followed by HTML': and(webp, script),
    'a WebP with a GPS position': await sharp(jpeg).webp().withExif(exif).toBuffer(),
  }
  const labels = ['text/html', 'image/svg+xml', 'application/javascript', 'application/x-httpd-php', 'x', '']
  return [
    ...Object.entries(pictures).map(([title, bytes]) => ({
      title,
      make: () => bytes,
      outcome: 'accepted' as const,
    })),
    ...labels.map((contentType) => ({
      title: `a PNG declared as ${contentType || 'nothing'}`,
      make: () => png,
      outcome: 'accepted' as const,
      contentType,
      fileName: 'me.html',
    })),
  ]
}

const names = [
  '../../x.png',
  '..\\..\\x.png',
  '/etc/passwd',
  'C:\\boot.ini',
  'a\0.png',
  'CON',
  'NUL.png',
  'x'.repeat(5_000),
  'gnp.\u202eexe.png',
  '.htaccess',
  '...',
  'a.php',
  'a.svg',
  'x.png/../../y',
  'x.png. ',
  '$(touch x).png',
  '`id`.png',
  "a';drop table user_account;--.png",
  '<script>.png',
  '%2e%2e%2fx.png',
  'file:///etc/passwd',
  '-rf',
  'é\ud83c\udf31.png',
]

/** Returns a valid picture under hostile file names. */
export function imagesWithBadNames(): HostileImage[] {
  const bytes = pngOf(8, 8)
  return [
    ...names.map((fileName): HostileImage => {
      const title = `a picture called ${JSON.stringify(fileName.slice(0, 40))}`
      return { title, make: () => bytes, outcome: 'accepted', fileName }
    }),
    // A form part without a file name is not a file.
    ...['', '.', '..', 'x/', '../'].map((fileName): HostileImage => {
      const title = `a picture called ${JSON.stringify(fileName)}`
      return { title, make: () => bytes, outcome: 'no file', fileName }
    }),
  ]
}
