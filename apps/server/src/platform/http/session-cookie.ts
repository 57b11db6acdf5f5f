import type { IncomingHttpHeaders } from 'node:http'
import type { UserId } from '@oxbow/contract'
import type { Caller, SessionCredentials } from '../actor.ts'
import { BoundedCache } from '../bounded-cache.ts'

type Origin = Pick<Caller, 'origin'>

const isSecure = ({ origin }: Origin): boolean => origin.startsWith('https:')

/**
 * Returns the name of the cookie. With the prefix `__Host-`, browsers accept the cookie only from the host
 * itself over https, so that a sibling subdomain cannot set it.
 */
const cookieName = (caller: Origin): string => (isSecure(caller) ? '__Host-oxbow' : 'oxbow')

/** A year, which is the longest lifetime of a session. The server may end sessions earlier. */
const trustedSeconds = 365 * 86_400

/**
 * Returns the name of the cookie with the account of the session. Scripts of the web client read it, so that
 * data stored for one account is never shown to another. The cookie is not secret, and grants nothing.
 */
const accountCookieName = (caller: Origin): string => `${cookieName(caller)}-account`

interface NewSession {
  token: string
  user_id: UserId
  isTrusted: boolean
}

/** Returns the `Set-Cookie` headers of a new session. The cookies replace those of another account. */
export function sessionCookies(caller: Origin, { token, user_id, isTrusted }: NewSession): string[] {
  const age = isTrusted ? `; Max-Age=${trustedSeconds}` : ''
  return [
    `${cookieName(caller)}=${token}; ${sessionAttributes(caller)}${age}`,
    `${accountCookieName(caller)}=${user_id}${isTrusted ? '.trusted' : ''}; ${accountAttributes(caller)}${age}`,
  ]
}

/** Returns the `Set-Cookie` headers that remove the cookies of the session. */
export function removedSessionCookies(caller: Origin): string[] {
  return [
    `${cookieName(caller)}=; ${sessionAttributes(caller)}; Max-Age=0`,
    `${accountCookieName(caller)}=; ${accountAttributes(caller)}; Max-Age=0`,
  ]
}

const secureAttribute = (caller: Origin): string => (isSecure(caller) ? '; Secure' : '')

const sessionAttributes = (caller: Origin): string =>
  `Path=/; HttpOnly; SameSite=Lax${secureAttribute(caller)}`

const accountAttributes = (caller: Origin): string => `Path=/; SameSite=Strict${secureAttribute(caller)}`

/**
 * Session credentials by cookie header; null for headers without a session. Browsers send the same header
 * with every request, and token hashes are cached by credentials object, so the same header must yield the
 * same object.
 */
const parsedHeaders = new BoundedCache<string, SessionCredentials | null>(20_000)
/** Longer headers are not cached, so that clients without an account cannot fill the memory. */
const maxCachedLength = 400

/** Reads the session token from the cookies; undefined if there is none. */
export function readSessionCookie(
  caller: Origin,
  { cookie: header }: IncomingHttpHeaders,
): SessionCredentials | undefined {
  if (!header) return undefined
  const name = cookieName(caller)
  const key = `${name} ${header}`
  const cached = parsedHeaders.get(key)
  if (cached !== undefined) return cached ?? undefined
  const parsed = parse(name, header)
  if (header.length > maxCachedLength) return parsed
  parsedHeaders.set(key, parsed ?? null)
  return parsed
}

function parse(name: string, header: string): SessionCredentials | undefined {
  for (const pair of header.split(';')) {
    const [, found, session_token] = /^([^=]*)=([\w-]{43})$/.exec(pair.trim()) ?? []
    if (found === name && session_token !== undefined) return { session_token }
  }
  return undefined
}

/** Whether the web client may have stored data in this browser, because its last session was trusted. */
export function isTrustedDevice(caller: Origin, { cookie = '' }: IncomingHttpHeaders): boolean {
  const prefix = `${accountCookieName(caller)}=`
  return cookie.split(/; */).some((pair) => pair.startsWith(prefix) && pair.endsWith('.trusted'))
}

/** Whether the request has a session cookie, valid or not. */
export function hasSessionCookie({ cookie = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|;)\s*(?:__Host-)?oxbow=/.test(cookie)
}
