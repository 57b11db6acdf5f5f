import { ApiError } from '@oxbow/contract'
import type { KeyCredentials } from '../actor.ts'
import { BoundedCache } from '../bounded-cache.ts'

/** Parsed headers, cached because clients send the same one with every request. */
const parsedHeaders = new BoundedCache<string, KeyCredentials>(20_000)
/** Longer headers are not cached, so that strangers cannot fill the memory. */
const maxCachedLength = 400

/** Parses `Authorization: Basic …`. Throws the error that names what is wrong with it. */
export function readBasicAuthorization(header: string | undefined): KeyCredentials {
  if (!header) throw new ApiError('NOT_LOGGED_IN')
  const cached = parsedHeaders.get(header)
  if (cached) return cached
  const credentials = parse(header)
  if (header.length > maxCachedLength) return credentials
  parsedHeaders.set(header, credentials)
  return credentials
}

function parse(header: string): KeyCredentials {
  const [scheme, encoded, ...more] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'basic') throw new ApiError('NOT_BASIC_AUTHENTICATION')
  const decoded = encoded !== undefined && more.length === 0 ? decodeBase64(encoded) : undefined
  const [email, api_key, ...rest] = decoded?.split(':') ?? []
  if (email === undefined || api_key === undefined || rest.length > 0) {
    throw new ApiError('INVALID_AUTHORIZATION_HEADER')
  }
  const key = api_key.trim()
  if (!isApiKey(key)) throw new ApiError('MALFORMED_API_KEY')
  return { email: email.trim(), api_key: key }
}

export const isApiKey = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}
