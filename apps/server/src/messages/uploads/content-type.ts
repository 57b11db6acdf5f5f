import { imageType } from '../../platform/images/image-type.ts'
import { extensionOf } from './names.ts'

/** Number of bytes from the start of a file that `detectContentType` examines. */
export const headLength = 512

const unknownType = 'application/octet-stream'

const startsWith = (...bytes: number[]) => {
  const start = Buffer.from(bytes)
  return (head: Buffer) => head.subarray(0, start.length).equals(start)
}
const has = (text: string, at = 0) => {
  const bytes = Buffer.from(text, 'latin1')
  return (head: Buffer) => head.subarray(at, at + bytes.length).equals(bytes)
}
const riff = (kind: string) => (head: Buffer) => has('RIFF')(head) && has(kind, 8)(head)
/** Matches ISO media files with one of these brands. */
const brand =
  (...brands: string[]) =>
  (head: Buffer) =>
    has('ftyp', 4)(head) && brands.includes(head.toString('latin1', 8, 12))
const matroska = (kind: string) => (head: Buffer) =>
  startsWith(0x1a, 0x45, 0xdf, 0xa3)(head) && head.subarray(0, 64).includes(kind, 0, 'latin1')

/**
 * Types that are recognized only by the first bytes of a file, as are pictures that the server
 * decodes.
 */
const signatures: readonly [type: string, matches: (head: Buffer) => boolean][] = [
  ['application/pdf', has('%PDF-')],
  ['image/avif', brand('avif', 'avis')],
  ['image/heic', brand('heic', 'heix', 'hevc', 'mif1')],
  ['audio/mp4', brand('M4A ', 'M4B ')],
  ['video/quicktime', brand('qt  ')],
  [
    'video/mp4',
    brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V ', 'MSNV'),
  ],
  ['video/3gpp', brand('3gp4', '3gp5', '3gp6')],
  ['video/webm', matroska('webm')],
  ['video/x-matroska', matroska('matroska')],
  ['video/x-msvideo', riff('AVI ')],
  ['audio/wav', riff('WAVE')],
  ['video/ogg', (head) => has('OggS')(head) && head.subarray(0, 128).includes('theora')],
  ['audio/ogg', has('OggS')],
  ['audio/flac', has('fLaC')],
  // The first bytes of MPEG layer 3 frames. Other second bytes are rare, or could be the start of
  // UTF-16 text.
  ['audio/mpeg', (head) => has('ID3')(head) || startsWith(0xff, 0xfb)(head) || startsWith(0xff, 0xf3)(head)],
  ['image/tiff', (head) => has('II*\0')(head) || has('MM\0*')(head)],
]

/** Types of files without a reliable signature, by extension. */
const typesByExtension: Readonly<Record<string, string>> = {
  '.7z': 'application/x-7z-compressed',
  '.c': 'text/x-c',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.diff': 'text/x-diff',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.eml': 'message/rfc822',
  '.epub': 'application/epub+zip',
  '.gz': 'application/gzip',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.java': 'text/x-java',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.patch': 'text/x-diff',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.py': 'text/x-python',
  '.rtf': 'application/rtf',
  '.sh': 'application/x-sh',
  '.sql': 'application/sql',
  '.svg': 'image/svg+xml',
  '.tar': 'application/x-tar',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.wasm': 'application/wasm',
  '.xhtml': 'application/xhtml+xml',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
}

/** The usual extensions of types with a signature. */
const extensionsBySignature: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'audio/flac': '.flac',
  'audio/mp4': '.m4a',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/heic': '.heic',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/tiff': '.tiff',
  'image/webp': '.webp',
  'video/3gpp': '.3gp',
  'video/mp4': '.mp4',
  'video/ogg': '.ogv',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
  'video/x-matroska': '.mkv',
  'video/x-msvideo': '.avi',
}

const extensionsByType = new Map([
  // The first extension of a type is its usual one, except for the types below.
  ...Object.entries(typesByExtension)
    .toReversed()
    .map(([extension, type]) => [type, extension] as const),
  ['text/html', '.html'] as const,
  ['text/plain', '.txt'] as const,
  ...Object.entries(extensionsBySignature),
])

/**
 * Returns the usual extension for a content type, including the dot, or an empty string if there
 * is none.
 */
export function usualExtension(type: string): string {
  return extensionsByType.get(essence(type)) ?? ''
}

/**
 * Returns the type of a file. Pictures, sound, video and PDF are recognized only by their first
 * bytes. Other types are derived from the extension or, if it is unknown, from the type that the
 * client declared.
 */
export function detectContentType(head: Buffer, name: string, declaredType: string): string {
  const image = imageType(head)
  if (image) return `image/${image}`
  const signature = signatures.find(([, matches]) => matches(head))
  if (signature) return signature[0]
  const byExtension = typesByExtension[extensionOf(name)]
  if (byExtension) return byExtension
  const declared = essence(declaredType)
  return extensionsByType.has(declared) && !(declared in extensionsBySignature) ? declared : unknownType
}

const essence = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? ''

/** Types that browsers may show as a separate page. */
const inlineTypes = new Set(['application/pdf', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'])

export const isInline = (type: string): boolean => inlineTypes.has(type)

/**
 * Returns the type that is sent to browsers. Media, PDF and plain text keep their types, because
 * such files cannot run scripts. All other files are sent as `application/octet-stream`.
 */
export function servedType(type: string): string {
  const isMedia = Object.hasOwn(extensionsBySignature, type)
  return isMedia || type === 'text/plain' ? type : unknownType
}
