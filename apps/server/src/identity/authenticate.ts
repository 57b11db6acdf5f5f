import { ApiError } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { Actor, Caller, Credentials } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { findAccountByKeyHash, type KeyAccount } from './queries.ts'

const accountCache = coherentCache<KeyAccount>()

/**
 * Returns the actor of an API key, or throws the reason for the refusal. The key is looked up by
 * its keyed hash, so timing reveals nothing about keys; an e-mail address in the credentials must
 * be the account's delivery address. With `isFresh` the account is read from PostgreSQL, never from
 * the cache.
 */
export function authenticate(
  app: App,
  caller: Caller,
  credentials: Credentials,
  { isFresh = false } = {},
): Actor | Promise<Actor> {
  const hashed = hashCredentials(app, credentials)
  const cached = isFresh ? undefined : accountCache(app).find(hashed.key)
  // The cache may be slightly outdated, so a request is refused only after reading the database.
  if (cached && !findObjection(cached, caller, credentials)) return buildActor(caller, cached, hashed)
  return authenticateUncached(app, caller, credentials, hashed)
}

async function authenticateUncached(
  app: App,
  caller: Caller,
  credentials: Credentials,
  hashed: HashedKey,
): Promise<Actor> {
  const account = await readAccount(app, hashed.key, hashed.api_key_hash)
  const objection = findObjection(account, caller, credentials)
  if (objection || !account) throw new ApiError(objection ?? 'INVALID_API_KEY')
  return buildActor(caller, account, hashed)
}

function buildActor(caller: Caller, account: KeyAccount, { api_key_hash }: HashedKey): Actor {
  const { user_id, organization_id, role, bot_type, bot } = account
  return { ...caller, user_id, organization_id, role, bot_type, ...(bot && { bot }), api_key_hash }
}

interface HashedKey {
  api_key_hash: Buffer
  /** The hash as base64, the key of the cache. */
  key: string
}

const hashedCredentials = new WeakMap<App, WeakMap<Credentials, HashedKey>>()

/**
 * Hashes the key once per credentials object: a client sends the same ones each time, and hashing
 * is costly.
 */
function hashCredentials(app: App, credentials: Credentials): HashedKey {
  const cached = hashedCredentials.get(app)?.get(credentials)
  if (cached) return cached
  const api_key_hash = app.secrets.hash(credentials.api_key)
  const found = { api_key_hash, key: api_key_hash.toString('base64') }
  const ofApp = hashedCredentials.get(app) ?? new WeakMap<Credentials, HashedKey>()
  hashedCredentials.set(app, ofApp.set(credentials, found))
  return found
}

function findObjection(account: KeyAccount | undefined, { subdomain }: Caller, { email }: Credentials) {
  if (!account || isDifferentAddress(account.delivery_email, email)) return 'INVALID_API_KEY'
  if (account.organization_deactivated_at) return 'ORGANIZATION_DEACTIVATED'
  if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
  return account.subdomain === subdomain ? undefined : 'WRONG_SUBDOMAIN'
}

/** Whether the credentials name another account than the one that the key belongs to. */
function isDifferentAddress(address: string, named: string | undefined): boolean {
  return named !== undefined && address.toLowerCase() !== named.toLowerCase()
}

export type KeyObjection = 'INVALID_API_KEY' | 'ORGANIZATION_DEACTIVATED'

/**
 * Returns why a listener must stop, or undefined. Synchronous if the account is cached: the cache
 * drops an account when its key changes, and all accounts of an organization that is deactivated.
 */
export function findKeyObjection(
  app: App,
  { api_key_hash, user_id }: Actor,
): KeyObjection | undefined | Promise<KeyObjection | undefined> {
  const key = api_key_hash.toString('base64')
  const cached = accountCache(app).find(key)
  if (cached && !cached.organization_deactivated_at) return undefined
  return readAccount(app, key, api_key_hash).then((account) => {
    if (account?.user_id !== user_id || !account.is_active) return 'INVALID_API_KEY'
    return account.organization_deactivated_at ? 'ORGANIZATION_DEACTIVATED' : undefined
  })
}

function readAccount(app: App, key: string, hash: Buffer): Promise<KeyAccount | undefined> {
  return accountCache(app).refresh(key, async () => {
    const account = await findAccountByKeyHash(app.db, hash)
    return account && { value: account, ...account }
  })
}
