import { ApiError } from '@oxbow/contract'
import type { Credentials } from '../actor.ts'
import { isApiKey } from './basic-authorization.ts'

/** The same key comes with every delivery of a service; one object for each, by which its hash is remembered. */
const known = new Map<string, Credentials>()
const most = 20_000

/** A key that came alone, in a URL or a form. */
export function readKey(given: string): Credentials {
  const found = known.get(given)
  if (found) return found
  const api_key = given.trim()
  if (!isApiKey(api_key)) throw new ApiError('MALFORMED_API_KEY')
  const credentials = { api_key }
  if (known.size >= most) known.delete(known.keys().next().value ?? '')
  if (given.length === api_key.length) known.set(given, credentials)
  return credentials
}
