import { pngChunk, pngOf } from '@oxbow/testkit'
import sharp from 'sharp'
import { createNoiseImage, gif, gifComment, smallPng, withSegment } from './formats.ts'
import { type HostileImage, mark, script } from './hostile-image.ts'

const archive = `PK\x03\x04${mark}PK\x05\x06`

/**
 * Returns pictures that are also valid files of another format. The server accepts them, and keeps
 * nothing of the other format.
 */
export async function disguisedImages(): Promise<HostileImage[]> {
  const [png, jpeg, webp] = [smallPng(), await createNoiseImage('jpeg'), await createNoiseImage('webp')]
  const words = (text: string) => pngChunk('tEXt', Buffer.from(`Comment\0${text}`))
  const and = (picture: Uint8Array, tail: string) => Buffer.concat([picture, Buffer.from(tail, 'latin1')])
  const placed = {
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    IFD0: { Copyright: mark },
  }
  const pictures: Record<string, Uint8Array> = {
    // The bytes of the size open a comment.
    'a GIF that is also a script': and(gif(0x2a2f, 1, 1, gifComment(mark)), `*/=1;alert('${mark}')`),
    'a GIF with a page in its comment': gif(8, 8, 1, gifComment(script)),
    'a GIF before an archive': and(gif(8, 8), archive),
    'a PNG before an archive': and(png, archive),
    'a PNG before a page': and(png, script),
    'a PNG before a program': and(png, `<?php /* ${mark} */ system($_GET["c"]); ?>`),
    'a PNG before four megabytes': and(png, mark.repeat(230_000)),
    'a PNG with a page in its words': smallPng(words(script)),
    'a PNG with a program in its words': smallPng(words(`<?php ${mark} ?>`)),
    'a PNG with a secret chunk': smallPng(pngChunk('evIl', Buffer.from(mark))),
    'a PNG with another behind it': and(png, `${smallPng(words(mark)).toString('latin1')}`),
    'a JPEG with a page in its comment': withSegment(jpeg, 0xfe, script),
    'a JPEG with a page in its first segment': withSegment(jpeg, 0xe0, script),
    'a JPEG with a script in its description': withSegment(
      jpeg,
      0xe1,
      `http://ns.adobe.com/xap/1.0/\0<x>${script}</x>`,
    ),
    'a JPEG before a page': and(jpeg, script),
    'a JPEG before an archive': and(jpeg, archive),
    'a JPEG that tells where it was taken': await sharp(jpeg).jpeg().withExif(placed).toBuffer(),
    'a WebP before a page': and(webp, script),
    'a WebP that tells where it was taken': await sharp(jpeg).webp().withExif(placed).toBuffer(),
  }
  const labels = ['text/html', 'image/svg+xml', 'application/javascript', 'application/x-httpd-php', 'x', '']
  return [
    ...Object.entries(pictures).map(([title, bytes]) => ({ title, bytes, outcome: 'accepted' as const })),
    ...labels.map((contentType) => ({
      title: `a PNG that says it is ${contentType || 'nothing'}`,
      bytes: png,
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
      return { title, bytes, outcome: 'accepted', fileName }
    }),
    // A form part without a file name is not a file.
    ...['', '.', '..', 'x/', '../'].map((fileName): HostileImage => {
      return { title: `a picture called ${JSON.stringify(fileName)}`, bytes, outcome: 'no file', fileName }
    }),
  ]
}
