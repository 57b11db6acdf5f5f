import { randomBytes } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import { thumbnailFormats } from '../platform/images/thumbnail-formats.ts'

/** Characters that names may have; longer ones lose their middle, so that the extension stays. */
const maxNameLength = 255
const maxPathNameLength = 100

const fallbackName = 'uploaded-file'

/**
 * Control characters, line separators, and characters that change the direction of text, with which
 * a program could be shown as a picture.
 */
const hiddenCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu

/** Returns the name that clients show: as it was sent, percent-decoded, without hidden characters. */
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
  // A browser would resolve these as directories.
  return ['', '.', '..'].includes(short) ? fallbackName : short
}

/** Makes the path of a new upload. Its random part has 144 bits, so that nobody can guess it. */
export function makePathId(organization_id: OrganizationId, name: string): string {
  const folder = randomBytes(1).toString('hex')
  return `${organization_id}/${folder}/${randomBytes(18).toString('base64url')}/${sanitizeFileName(name)}`
}

/** Returns the key of an upload in the file store. It has no name, because keys are ASCII. */
export function uploadKey(path_id: string): string {
  return `uploads/${path_id.split('/').slice(0, 3).join('/')}`
}

/** Returns the key of a thumbnail, beside the one of its original. */
export function thumbnailKey(path_id: string, format: string): string {
  return `${uploadKey(path_id)}.${format}`
}

/** Returns the keys of all thumbnails that an upload may have. */
export function thumbnailKeys(path_id: string): string[] {
  return thumbnailFormats.map(({ name }) => thumbnailKey(path_id, name))
}

/** Returns the sanitized name that ends the path of an upload. */
export function nameInPath(path_id: string): string {
  return path_id.slice(path_id.lastIndexOf('/') + 1)
}

/** Returns the extension of a name in lower case, with its dot; empty without one. */
export function extensionOf(name: string): string {
  return /\.[a-z0-9]{1,10}$/i.exec(name)?.[0].toLowerCase() ?? ''
}

/** Decodes `%C3%A4`, and keeps text that is not percent-encoded. */
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
