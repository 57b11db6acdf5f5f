import type { BotType, OrganizationId, Role, SessionId, UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { ActorBot, Credential } from '../platform/actor.ts'
import { coalesce } from '../platform/database/coalesce.ts'
import type { Db } from '../platform/database/database.ts'

export interface AuthenticatedAccount {
  user_id: UserId
  organization_id: OrganizationId
  delivery_email: string
  role: Role
  bot_type: BotType | null
  /** Absent for people. */
  bot: ActorBot | undefined
  is_active: boolean
  subdomain: string
  organization_deactivated_at: Date | null
  /** Absent if the account was found by its API key. */
  session?: AccountSession
}

/** The session by which an account was found. */
export interface AccountSession {
  credential: Extract<Credential, { kind: 'session' }>
  organization_id: OrganizationId
  /** Updated by this node when it records a use. */
  last_seen_at: Date
  expires_at: Date
}

/**
 * Concurrent calls share one query, because every request of an account that is not cached calls
 * this.
 */
export const findAccountByKeyHash = coalesce<Buffer, AuthenticatedAccount>(async (db, hashes) => {
  const found = await selectAccounts(db)
    .select('user_account.api_key_hash')
    .where((eb) => eb('user_account.api_key_hash', '=', eb.fn.any(eb.val(hashes))))
    .execute()
  const accounts = new Map(
    found.map(({ api_key_hash, ...row }) => [api_key_hash.toString('hex'), toAccount(row)]),
  )
  return hashes.map((hash) => accounts.get(hash.toString('hex')))
})

export const findAccountByTokenHash = coalesce<Buffer, AuthenticatedAccount>(async (db, hashes) => {
  const found = await selectAccounts(db)
    .innerJoin('session', (join) =>
      join
        .onRef('session.organization_id', '=', 'user_account.organization_id')
        .onRef('session.user_id', '=', 'user_account.id'),
    )
    .select(['session.token_hash', 'session.id as session_id', 'session.last_seen_at', 'session.expires_at'])
    .where((eb) => eb('session.token_hash', '=', eb.fn.any(eb.val(hashes))))
    .where('session.expires_at', '>', sql<Date>`now()`)
    .execute()
  const accounts = new Map(
    found.map(({ token_hash: hash, session_id: id, last_seen_at, expires_at, ...row }) => {
      const { organization_id } = row
      const session: AccountSession = {
        credential: { kind: 'session', hash, id: id as SessionId },
        organization_id,
        last_seen_at,
        expires_at,
      }
      return [hash.toString('hex'), { ...toAccount(row), session }]
    }),
  )
  return hashes.map((hash) => accounts.get(hash.toString('hex')))
})

const selectAccounts = (db: Db) =>
  db
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'user_account.organization_id')
    .select([
      'user_account.id as user_id',
      'user_account.organization_id',
      'user_account.delivery_email',
      'user_account.role',
      'user_account.bot_type',
      'user_account.bot_owner_id',
      'user_account.full_name',
      'user_account.is_active',
      'organization.subdomain',
      'organization.deactivated_at as organization_deactivated_at',
    ])

interface AccountRow extends Omit<AuthenticatedAccount, 'bot' | 'session'> {
  bot_owner_id: UserId | null
  full_name: string
}

function toAccount({ bot_owner_id: owner_id, full_name, ...account }: AccountRow): AuthenticatedAccount {
  const { bot_type, delivery_email: email } = account
  return { ...account, bot: bot_type === null ? undefined : { owner_id, email, full_name } }
}

/** SQL condition: `hash` is the hash of the account's API key or of one of its session tokens. */
export const isCredentialGood = (hash: Buffer): RawBuilder<boolean> => sql<boolean>`
  user_account.api_key_hash = ${hash} or exists (
    select from session
    where session.token_hash = ${hash} and session.organization_id = user_account.organization_id
      and session.user_id = user_account.id and session.expires_at > now())`
