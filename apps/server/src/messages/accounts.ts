import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { canSeeDeliveryEmail, displayEmail, parseHiddenAddresses } from '../organization/display-email.ts'
import type { Config } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'

/**
 * An account that can send or receive messages: people and bots, also deactivated ones, and the
 * server's system accounts.
 */
export interface Account
  extends Pick<
      UserRow,
      | 'organization_id'
      | 'id'
      | 'full_name'
      | 'delivery_email'
      | 'bot_type'
      | 'avatar_source'
      | 'avatar_version'
      | 'is_active'
    >,
    Pick<OrganizationRow, 'email_address_visibility'> {
  is_system: boolean
}

const accountsSubquery = (organization_id: OrganizationId) => sql`(
  select u.organization_id, u.id, u.full_name, u.delivery_email, u.bot_type, u.avatar_source, u.avatar_version, u.is_active,
    o.email_address_visibility, false as is_system
  from user_account u join organization o on o.id = u.organization_id
  where u.organization_id = ${organization_id}
  union all
  select ${organization_id}, a.id, a.full_name, a.email, 1::smallint, 'external', 1, true, 1, true from system_account a
) as account`

export async function listAccountsById(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly number[],
): Promise<Map<UserId, Account>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Account>`
    select * from ${accountsSubquery(organization_id)} where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((account) => [account.id, account]))
}

/** Finds accounts by their display addresses. The keys of the result are in lower case. */
export async function listAccountsByEmail(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await listAccountsByAnyEmail(config, db, organization_id, emails)
  // A hidden delivery address must not identify an account.
  return new Map(rows.map((account) => [displayEmail(config, account).toLowerCase(), account]))
}

/**
 * Finds an account by an address that the viewer can see: the display address, or the delivery
 * address where the viewer's role may see it.
 */
export async function findAccountByShownEmail(
  config: Config,
  db: Db,
  { organization_id, role }: { organization_id: OrganizationId; role: Role },
  email: string,
): Promise<Account | undefined> {
  const rows = await listAccountsByAnyEmail(config, db, organization_id, [email])
  const matchesRequest = (shown: string) => shown.toLowerCase() === email.toLowerCase()
  return (
    rows.find((account) => matchesRequest(displayEmail(config, account))) ??
    rows.find((account) => canSeeDeliveryEmail(account, role) && matchesRequest(account.delivery_email))
  )
}

/**
 * Lists accounts whose delivery or display address may be one of `emails`. Callers check which
 * address matched.
 */
async function listAccountsByAnyEmail(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Account[]> {
  const lowerCaseEmails = emails.map((email) => email.toLowerCase())
  const { rows } = await sql<Account>`
    select * from ${accountsSubquery(organization_id)}
    where lower(delivery_email) = any(${lowerCaseEmails}::text[])
      or id = any(${parseHiddenAddresses(config, lowerCaseEmails)}::bigint[])`.execute(db)
  return rows
}

/** An account of the server itself, shared by all organizations. */
export interface SystemAccount {
  id: UserId
  email: string
  full_name: string
}

export async function listSystemAccounts(db: Db): Promise<SystemAccount[]> {
  return db.selectFrom('system_account').selectAll().orderBy('id').execute()
}

/** Returns the account that sends the server's notices. */
export async function getNotificationBot(db: Db): Promise<SystemAccount> {
  return db
    .selectFrom('system_account')
    .selectAll()
    .where('email', '=', notificationBotEmail)
    .executeTakeFirstOrThrow()
}

const notificationBotEmail = 'notification-bot@oxbow.invalid'
