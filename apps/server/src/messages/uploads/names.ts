import { randomBytes } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import { thumbnailFormats } from '../../platform/images/thumbnail-formats.ts'

/** Maximum number of characters in a name. Longer names are shortened before the extension. */
const maxNameLength = 255
const maxPathNameLength = 100

const fallbackName = 'uploaded-file'

/**
 * Control characters, line separators, and characters that change the direction of text. The latter
 * could make a program look like a picture.
 */
const hiddenCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu

/**
 * Returns the name that clients show: the original name, percent-decoded and without hidden
 * characters.
 */
export function cleanFileName(name: string): string {
  const cleaned = decodePercents(name).toWellFormed().replace(hiddenCharacters, '').trim()
  return shorten(cleaned, maxNameLength) || fallbackName
}

/** Returns the name in the URL of a file: only letters, digits, underscores, dots and hyphens. */
export function sanitizeFileName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
  const short = shorten(plain, maxPathNameLength)
  // Browsers would interpret these names as directories.
  return ['', '.', '..'].includes(short) ? fallbackName : short
}

/** Builds the path of a new upload. Its random part has 144 bits, so that nobody can guess it. */
export function makePathId(organization_id: OrganizationId, name: string): string {
  const folder = randomBytes(1).toString('hex')
  return `${organization_id}/${folder}/${randomBytes(18).toString('base64url')}/${sanitizeFileName(name)}`
}

/**
 * Returns the key of an upload in the file store. The key does not contain the name, because keys
 * are ASCII.
 */
export function uploadKey(path_id: string): string {
  return `uploads/${path_id.split('/').slice(0, 3).join('/')}`
}

/** Returns the key of a thumbnail. It begins with the key of the original. */
export function thumbnailKey(path_id: string, format: string): string {
  return `${uploadKey(path_id)}.${format}`
}

/** Returns the keys of all thumbnails that an upload may have. */
export function thumbnailKeys(path_id: string): string[] {
  return thumbnailFormats.map(({ name }) => thumbnailKey(path_id, name))
}

/** Returns the sanitized name at the end of an upload's path. */
export function nameInPath(path_id: string): string {
  return path_id.slice(path_id.lastIndexOf('/') + 1)
}

/**
 * Returns the extension of a name in lower case, including the dot, or an empty string if there is
 * none.
 */
export function extensionOf(name: string): string {
  return /\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? ''
}

/** Decodes percent-encoded characters like `%C3%A4` and leaves other text unchanged. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

function shorten(name: string, maxLength: number): string {
  const characters = [...name]
  if (characters.length <= maxLength) return name
  const extension = extensionOf(name)
  return characters.slice(0, maxLength - extension.length).join('') + extension
}
