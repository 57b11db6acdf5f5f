import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { riff } from './formats.ts'
import { type HostileImage, script } from './hostile-image.ts'

const svg = (inside: string) =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`

const texts: Record<string, string> = {
  'an empty file': '',
  'one byte': 'x',
  'plain text': 'This is a picture, believe me.',
  'an HTML page': `<!doctype html><html>${script}</html>`,
  'a script': 'alert(document.cookie)',
  'an SVG with a script': svg(script),
  'an SVG that loads a local file': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  'an SVG that loads a URL': svg('<image href="http://169.254.169.254/latest/meta-data/"/>'),
  'an SVG with nested entities': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${svg('&b;')}`,
  'an SVG after blank lines': `\n\n\n${svg(script)}`,
  'a shell script': '#!/bin/sh\nid\n',
  'a PHP script': "<?php system($_GET['c']); ?>",
  JSON: '{"image":true}',
  PostScript: '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file\n',
  'MVG commands for ImageMagick':
    'push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 "msl:/etc/passwd"\npop\n',
  'a PDF document': '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n',
  'a PPM image in ASCII': 'P3 1 1 255 255 0 0\n',
  'a PPM image in binary form': 'P6 1 1 255\n\0\0\0',
  'a Radiance HDR image': '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n',
  'the beginning of a PNG': '\x89PNG\r\n\x1a\n',
  'a PNG that went through a text editor': '\x89PNG\n\x1a\n\0\0\0\rIHDR',
  'the beginning of a JPEG': '\xff\xd8\xff',
  'the beginning of a GIF': 'GIF89a',
  'a GIF of an unknown version': 'GIF88a\x01\0\x01\0\0\0\0;',
  'a GIF with a signature in lower case': 'gif89a\x01\0\x01\0\0\0\0;',
  'a GIF that is a script': `GIF89a=1;alert(document.domain);//`,
  'the beginning of a WebP': 'RIFF\x04\0\0\0WEBP',
  'a WAVE file': 'RIFF\x24\0\0\0WAVEfmt ',
  'a ZIP archive': 'PK\x03\x04\x14\0\0\0',
  'an executable for Linux': '\x7fELF\x02\x01\x01',
  'an executable for Windows': 'MZ\x90\0',
  'a BMP image': 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0',
  'an ICO image': '\0\0\x01\0\x01\0\x10\x10\0\0',
  'a HEIC image': '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
  'a JPEG XL image': '\xff\x0a\xfa\x1f\x01\x90',
  'an MP4 video': '\0\0\0\x18ftypmp42\0\0\0\0isommp42',
}

/** Returns files that are not pictures of a supported format, but are uploaded as PNG. */
export async function noImages(): Promise<HostileImage[]> {
  const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
  const bytes: Record<string, Uint8Array> = {
    ...Object.fromEntries(Object.entries(texts).map(([title, text]) => [title, Buffer.from(text, 'latin1')])),
    'a compressed SVG': gzipSync(svg(script)),
    'a TIFF image': await plain.clone().tiff().toBuffer(),
    'an AVIF image': await plain.clone().avif().toBuffer(),
    'five megabytes of zeros': Buffer.alloc(5 * 1_048_576),
    'five megabytes after the beginning of a JPEG': Buffer.concat([
      Buffer.from('ffd8ff', 'hex'),
      Buffer.alloc(5_000_000, 0xff),
    ]),
    'five megabytes after the beginning of a GIF': Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.alloc(5_000_000, 0x21),
    ]),
    'a WebP with an unknown chunk': riff(['XXXX', Buffer.alloc(64)]),
    'a WebP that ends before its chunk does': riff(['VP8 ', Buffer.alloc(8)]).subarray(0, 22),
  }
  return Object.entries(bytes).map(([title, content]) => ({
    title,
    make: () => content,
    outcome: 'unreadable',
    fileName: 'me.png',
    contentType: 'image/png',
  }))
}
