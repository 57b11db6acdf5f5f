import { ApiError } from '@oxbow/contract'
import type { KeyCredentials } from '../actor.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { isApiKey } from './basic-authorization.ts'

/** One object per key, because the hash of a key is cached by its credentials object. */
const credentialsByKey = new BoundedCache<string, KeyCredentials>(20_000)

/** Reads a key that was given without an e-mail address, in a URL or a form. */
export function readKey(rawKey: string): KeyCredentials {
  const found = credentialsByKey.get(rawKey)
  if (found) return found
  const api_key = rawKey.trim()
  if (!isApiKey(api_key)) throw new ApiError('MALFORMED_API_KEY')
  const credentials = { api_key }
  if (rawKey.length === api_key.length) credentialsByKey.set(rawKey, credentials)
  return credentials
}
