import { ApiError } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { Actor, Caller, Credential, Credentials } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { perNode } from '../platform/per-node.ts'
import { type AuthenticatedAccount, findAccountByKeyHash, findAccountByTokenHash } from './queries.ts'
import { recordUse } from './record-session-use.ts'
import { hashToken } from './sessions.ts'

const accountCache = coherentCache<AuthenticatedAccount>('accounts by credential')

/**
 * Returns the actor of an API key or a session, or throws the reason for the refusal. Keys and
 * tokens are looked up by a keyed hash, so response times reveal nothing about them. If a request
 * sends an e-mail address with its API key, it must be the account's delivery address. With
 * `isFresh` the account is read from PostgreSQL, never from the cache.
 */
export function authenticate(
  app: App,
  caller: Caller,
  credentials: Credentials,
  { isFresh = false } = {},
): Actor | Promise<Actor> {
  const hashed = hashCredentials(app, credentials)
  const cached = isFresh ? undefined : accountCache(app).find(hashed.cacheKey)
  // The cache may be slightly outdated, so only data from PostgreSQL can refuse a request.
  if (cached && !findAuthenticationError(cached, caller, credentials))
    return buildActor(app, caller, cached, hashed)
  return authenticateUncached(app, caller, credentials, hashed)
}

async function authenticateUncached(
  app: App,
  caller: Caller,
  credentials: Credentials,
  hashed: HashedCredentials,
): Promise<Actor> {
  const account = await readAccount(app, hashed.credential, hashed.cacheKey)
  const error = findAuthenticationError(account, caller, credentials)
  if (error || !account) throw new ApiError(error ?? 'INVALID_API_KEY')
  return buildActor(app, caller, account, hashed)
}

/** The client name of all requests with a session, because they come from pages of this server. */
const sessionClient = 'website'

function buildActor(
  app: App,
  caller: Caller,
  account: AuthenticatedAccount,
  { credential }: HashedCredentials,
): Actor {
  const { user_id, organization_id, role, bot_type, bot, session } = account
  if (session) recordUse(app, session, caller.address)
  return {
    ...caller,
    ...(session && { client: sessionClient }),
    user_id,
    organization_id,
    role,
    bot_type,
    ...(bot && { bot }),
    credential: session?.credential ?? (credential as Credential),
  }
}

/** A credential that was not looked up yet. */
type UnresolvedCredential = Pick<Credential, 'kind' | 'hash'>

interface HashedCredentials {
  credential: UnresolvedCredential
  /** The hash as base64. */
  cacheKey: string
}

/** A weak map, so that a hash is freed together with the credentials object it belongs to. */
const hashedCredentials = perNode({
  name: 'hashed credentials',
  create: () => new WeakMap<Credentials, HashedCredentials>(),
})

/**
 * Hashes the key or token once per credentials object, because hashing is costly and a client sends
 * the same credentials with every request.
 */
function hashCredentials(app: App, credentials: Credentials): HashedCredentials {
  const cache = hashedCredentials(app)
  const cached = cache.get(credentials)
  if (cached) return cached
  const credential = hashCredential(app, credentials)
  const found = { credential, cacheKey: toCacheKey(credential) }
  cache.set(credentials, found)
  return found
}

function hashCredential({ secrets }: App, credentials: Credentials): UnresolvedCredential {
  return 'session_token' in credentials
    ? { kind: 'session', hash: hashToken(secrets, credentials.session_token) }
    : { kind: 'key', hash: secrets.hash(credentials.api_key) }
}

/** Returns the cache key. API keys and session tokens share a cache, because their hashes never coincide. */
const toCacheKey = ({ hash }: UnresolvedCredential): string => hash.toString('base64')

function findAuthenticationError(
  account: AuthenticatedAccount | undefined,
  { subdomain, expectedUserId }: Caller,
  credentials: Credentials,
) {
  if ('session_token' in credentials) {
    if (!account || isExpired(account)) return 'NOT_LOGGED_IN'
  } else if (!account || isDifferentAddress(account.delivery_email, credentials.email)) {
    return 'INVALID_API_KEY'
  }
  if (account.organization_deactivated_at) return 'ORGANIZATION_DEACTIVATED'
  if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
  if (account.subdomain !== subdomain) return 'WRONG_SUBDOMAIN'
  const isOther = account.session && expectedUserId !== undefined && account.user_id !== expectedUserId
  return isOther ? 'OTHER_ACCOUNT' : undefined
}

const isExpired = ({ session }: AuthenticatedAccount): boolean =>
  session !== undefined && session.expires_at.getTime() <= Date.now()

/** Returns whether the request's address belongs to another account than the API key. */
function isDifferentAddress(address: string, named: string | undefined): boolean {
  return named !== undefined && address.toLowerCase() !== named.toLowerCase()
}

export type CredentialError =
  | 'INVALID_API_KEY'
  | 'NOT_LOGGED_IN'
  | 'ACCOUNT_DEACTIVATED'
  | 'ORGANIZATION_DEACTIVATED'

/**
 * Returns why a waiting poll or event stream must end, or undefined if its credential is still valid.
 * Synchronous if the account is cached: the cache drops an account when its key changes or one of its
 * sessions ends, and all accounts of an organization that is deactivated.
 */
export function findCredentialError(
  app: App,
  { credential, user_id }: Actor,
): CredentialError | undefined | Promise<CredentialError | undefined> {
  const cacheKey = toCacheKey(credential)
  const cached = accountCache(app).find(cacheKey)
  if (cached && !cached.organization_deactivated_at && !isExpired(cached)) return undefined
  return readAccount(app, credential, cacheKey).then((account) => {
    if (account?.user_id !== user_id) return errorForInvalidCredential(credential)
    if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
    return account.organization_deactivated_at ? 'ORGANIZATION_DEACTIVATED' : undefined
  })
}

/** Returns the error for a credential that is no longer valid. */
export const errorForInvalidCredential = ({
  kind,
}: Pick<Credential, 'kind'>): 'INVALID_API_KEY' | 'NOT_LOGGED_IN' =>
  kind === 'key' ? 'INVALID_API_KEY' : 'NOT_LOGGED_IN'

function readAccount(
  app: App,
  { kind, hash }: UnresolvedCredential,
  cacheKey: string,
): Promise<AuthenticatedAccount | undefined> {
  return accountCache(app).refresh(cacheKey, async () => {
    const find = kind === 'key' ? findAccountByKeyHash : findAccountByTokenHash
    const account = await find(app.db, hash)
    return account && { value: account, ...account }
  })
}
