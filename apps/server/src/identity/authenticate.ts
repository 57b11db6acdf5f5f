import { ApiError } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { Actor, Caller, Credentials } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { type AccountOfKey, findAccountByKeyHash } from './queries.ts'

const accountsOf = coherentCache<AccountOfKey>()

/**
 * The account behind an API key. The key is found by its keyed hash, so the time it takes tells nothing about keys;
 * the address must then be the account's real one, never the one shown in its place.
 */
export function authenticate(
  app: App,
  caller: Caller,
  credentials: Credentials,
  { isFresh = false } = {},
): Actor | Promise<Actor> {
  const hashed = keyOf(app, credentials)
  const known = isFresh ? undefined : accountsOf(app).find(hashed.key)
  // Memory may be a moment old: nobody is refused without a look at the database.
  if (known && !objectionTo(known, caller, credentials)) return actorOf(caller, known, hashed)
  return authenticateAnew(app, caller, credentials, hashed)
}

async function authenticateAnew(
  app: App,
  caller: Caller,
  credentials: Credentials,
  hashed: HashedKey,
): Promise<Actor> {
  const account = await readAccount(app, hashed.key, hashed.api_key_hash)
  const objection = objectionTo(account, caller, credentials)
  if (objection || !account) throw new ApiError(objection ?? 'INVALID_API_KEY')
  return actorOf(caller, account, hashed)
}

function actorOf(caller: Caller, account: AccountOfKey, { api_key_hash }: HashedKey): Actor {
  const { user_id, organization_id, role, bot_type, bot } = account
  return { ...caller, user_id, organization_id, role, bot_type, ...(bot && { bot }), api_key_hash }
}

interface HashedKey {
  api_key_hash: Buffer
  /** The same as text. */
  key: string
}

const hashed = new WeakMap<App, WeakMap<Credentials, HashedKey>>()

/** The same credentials come with every request of a client, and hashing them is a good part of what one costs. */
function keyOf(app: App, credentials: Credentials): HashedKey {
  const known = hashed.get(app)?.get(credentials)
  if (known) return known
  const api_key_hash = app.secrets.hash(credentials.api_key)
  const found = { api_key_hash, key: api_key_hash.toString('base64') }
  const ofApp = hashed.get(app) ?? new WeakMap<Credentials, HashedKey>()
  hashed.set(app, ofApp.set(credentials, found))
  return found
}

function objectionTo(account: AccountOfKey | undefined, { subdomain }: Caller, { email }: Credentials) {
  if (!account || isOther(account.delivery_email, email)) return 'INVALID_API_KEY'
  if (account.organization_deactivated_at) return 'ORGANIZATION_DEACTIVATED'
  if (!account.is_active) return 'ACCOUNT_DEACTIVATED'
  return account.subdomain === subdomain ? undefined : 'WRONG_SUBDOMAIN'
}

/** Whoever names an account must name the one that the key is of. */
function isOther(address: string, named: string | undefined): boolean {
  return named !== undefined && address.toLowerCase() !== named.toLowerCase()
}

export type KeyObjection = 'INVALID_API_KEY' | 'ORGANIZATION_DEACTIVATED'

/**
 * Why someone who listens may not go on with the key that they came with. At once where memory knows; memory forgets
 * every key that changes, and all of an organization that is deactivated.
 */
export function findKeyObjection(
  app: App,
  { api_key_hash, user_id }: Actor,
): KeyObjection | undefined | Promise<KeyObjection | undefined> {
  const key = api_key_hash.toString('base64')
  const known = accountsOf(app).find(key)
  if (known && !known.organization_deactivated_at) return undefined
  return readAccount(app, key, api_key_hash).then((account) => {
    if (account?.user_id !== user_id || !account.is_active) return 'INVALID_API_KEY'
    return account.organization_deactivated_at ? 'ORGANIZATION_DEACTIVATED' : undefined
  })
}

function readAccount(app: App, key: string, hash: Buffer): Promise<AccountOfKey | undefined> {
  return accountsOf(app).refresh(key, async () => {
    const account = await findAccountByKeyHash(app.db, hash)
    return account && { value: account, ...account }
  })
}
