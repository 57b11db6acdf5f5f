import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { riff } from './formats.ts'
import { type HostileImage, script } from './hostile-image.ts'

const svg = (inside: string) =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`

const texts: Record<string, string> = {
  nothing: '',
  'one byte': 'x',
  words: 'This is a picture, believe me.',
  'a page': `<!doctype html><html>${script}</html>`,
  'a script': 'alert(document.cookie)',
  'a drawing with a script': svg(script),
  'a drawing that loads files': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  'a drawing that calls home': svg('<image href="http://169.254.169.254/latest/meta-data/"/>'),
  'a drawing with a billion laughs': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${svg('&b;')}`,
  'a drawing after blanks': `\n\n\n${svg(script)}`,
  'a program for the shell': '#!/bin/sh\nid\n',
  'a program for PHP': "<?php system($_GET['c']); ?>",
  JSON: '{"image":true}',
  PostScript: '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file\n',
  'commands for another painter':
    'push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 "msl:/etc/passwd"\npop\n',
  'a document': '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n',
  'pixels in plain text': 'P3 1 1 255 255 0 0\n',
  'pixels in plain bytes': 'P6 1 1 255\n\0\0\0',
  'light in floating numbers': '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n',
  'the beginning of a PNG': '\x89PNG\r\n\x1a\n',
  'a PNG that went through a text editor': '\x89PNG\n\x1a\n\0\0\0\rIHDR',
  'the beginning of a JPEG': '\xff\xd8\xff',
  'the beginning of a GIF': 'GIF89a',
  'a GIF of no year': 'GIF88a\x01\0\x01\0\0\0\0;',
  'a GIF in small letters': 'gif89a\x01\0\x01\0\0\0\0;',
  'a GIF that is a script': `GIF89a=1;alert(document.domain);//`,
  'the beginning of a WebP': 'RIFF\x04\0\0\0WEBP',
  'a sound': 'RIFF\x24\0\0\0WAVEfmt ',
  'an archive': 'PK\x03\x04\x14\0\0\0',
  'a program for Linux': '\x7fELF\x02\x01\x01',
  'a program for Windows': 'MZ\x90\0',
  'a bitmap': 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0',
  'an icon': '\0\0\x01\0\x01\0\x10\x10\0\0',
  'a picture of a phone': '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
  'a JPEG of the next generation': '\xff\x0a\xfa\x1f\x01\x90',
  'a film': '\0\0\0\x18ftypmp42\0\0\0\0isommp42',
}

/** Returns files that are not pictures of a supported format, under various names. */
export async function noImages(): Promise<HostileImage[]> {
  const plain = sharp({ create: { width: 9, height: 9, channels: 3, background: '#f00' } })
  const bytes: Record<string, Uint8Array> = {
    ...Object.fromEntries(Object.entries(texts).map(([title, text]) => [title, Buffer.from(text, 'latin1')])),
    'a packed drawing': gzipSync(svg(script)),
    'a picture for printers': await plain.clone().tiff().toBuffer(),
    'a picture of the newest kind': await plain.clone().avif().toBuffer(),
    'five megabytes of nothing': Buffer.alloc(5 * 1_048_576),
    'five megabytes after the beginning of a JPEG': Buffer.concat([
      Buffer.from('ffd8ff', 'hex'),
      Buffer.alloc(5_000_000, 0xff),
    ]),
    'five megabytes after the beginning of a GIF': Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.alloc(5_000_000, 0x21),
    ]),
    'a WebP of an unknown kind': riff(['XXXX', Buffer.alloc(64)]),
    'a WebP that ends before its chunk does': riff(['VP8 ', Buffer.alloc(8)]).subarray(0, 22),
  }
  return Object.entries(bytes).map(([title, content]) => ({
    title,
    bytes: content,
    outcome: 'unreadable',
    fileName: 'me.png',
    contentType: 'image/png',
  }))
}
