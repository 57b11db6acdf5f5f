import { pngOf } from '@oxbow/testkit'
import { disguisedImages, imagesWithBadNames } from '@oxbow/testkit/hostile-images/disguised'
import {
  createNoiseImage,
  encodeBlackLines,
  gif,
  png,
  resizedJpeg,
} from '@oxbow/testkit/hostile-images/formats'
import { activeContent, activeDocuments } from './active-content.ts'
import { type HostileFile, type Trap, trapScript } from './hostile-file.ts'

export { type HostileFile, type Trap, trapScript } from './hostile-file.ts'

/** Returns files that try to run in a browser, or to harm a person who saves them. */
export async function hostileFiles(trap: Trap): Promise<HostileFile[]> {
  return [
    ...activeContent(trap),
    ...activeDocuments(trap),
    ...(await polyglots(trap)),
    ...(await hugePictures()),
    ...named(),
  ]
}

/** Returns pictures that are also valid files of another format. */
async function polyglots(trap: Trap): Promise<HostileFile[]> {
  const js = trapScript(trap)
  // `GIF89a/*…*/=0;` is also a valid script: the width of the picture opens the comment.
  const gifAndScript = Buffer.concat([gif(0x2a2f, 1), Buffer.from(`*/=0;${js}`)])
  const made = await Promise.all(
    (await disguisedImages()).map(
      async ({ title, make, fileName = 'file.png', contentType = 'image/png' }) => ({
        title,
        bytes: await make(),
        fileName,
        contentType,
      }),
    ),
  )
  const types = ['text/html', 'text/javascript', 'image/svg+xml', 'image/gif']
  const scripts = types.map((contentType) => ({
    title: `a picture and script declared as ${contentType}`,
    bytes: gifAndScript,
    fileName: `file.${contentType.replace(/.*\/|\+.*/g, '')}`,
    contentType,
  }))
  return [...made, ...scripts].map((file) => ({ ...file, handling: 'shown' }))
}

/** Returns small files whose pictures would take gigabytes of memory to decode. */
async function hugePictures(): Promise<HostileFile[]> {
  const pictures = {
    'a PNG of 50,000 × 50,000': png(50_000, 50_000, encodeBlackLines(50_000, 20)),
    'a PNG of the largest size': png(0x7fffffff, 0x7fffffff, encodeBlackLines(8, 8)),
    'a JPEG of 65,500 × 65,500': resizedJpeg(await createNoiseImage('jpeg'), 65_500, 65_500),
    'a GIF of 65,535 × 65,535': gif(65_535, 65_535),
    'a GIF of 10,000 frames': gif(1, 1, 10_000),
  }
  return Object.entries(pictures).map(([title, bytes]) => ({
    title,
    bytes,
    fileName: 'file.png',
    contentType: 'image/png',
    handling: 'shown',
  }))
}

const names = [
  'a%0d%0aSet-Cookie: x=1.txt',
  'a%0aContent-Type: text/html.txt',
  'a\\".txt; filename=evil.html',
  '%22; filename=evil.html; x=%22.txt',
  "a'; filename*=UTF-8''evil.html.txt",
  '%E2%80%AEgnp.exe',
  '\u202egnp.exe',
  '\u2066fdp.\u2069exe',
  'a%00.html',
  'a\u0000.png',
  'a\u0007\u001b[31m.txt',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows%5cwin.ini',
  'aux.txt',
  'desktop.ini',
  '.bashrc',
  '~/x.txt',
  'a:b.txt',
  'a*?<>|.txt',
  `${'ä'.repeat(3_000)}.txt`,
  `${'a.'.repeat(2_000)}html`,
  '\u0000',
  '%',
  '%ff%fe.txt',
  '\ud83c\udf31'.repeat(200),
  'a\u2028b\u2029c.txt',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>.txt',
  '{{7*7}}.txt',
]

/** Returns a harmless text and a harmless picture under hostile names. */
function named(): HostileFile[] {
  return [
    ...names.map((fileName): HostileFile => {
      const title = `a text called ${JSON.stringify(fileName.slice(0, 40))}`
      return { title, bytes: Buffer.from('harmless'), fileName, contentType: 'text/plain', handling: 'saved' }
    }),
    ...imagesWithBadNames().map(({ title, fileName = '', outcome }): HostileFile => {
      const handling = outcome === 'no file' ? 'refused' : 'shown'
      return { title, bytes: pngOf(8, 8), fileName, contentType: 'image/png', handling }
    }),
  ]
}
