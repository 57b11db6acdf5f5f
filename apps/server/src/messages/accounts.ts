import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { displayEmail, idsInHiddenAddresses, isToldAddresses } from '../organization/display-email.ts'
import type { Config } from '../platform/config/settings.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'

/** Whoever can send messages or be sent some: people and bots, deactivated ones too, and the server's own accounts. */
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

const accounts = (organization_id: OrganizationId) => sql`(
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
    select * from ${accounts(organization_id)} where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((account) => [account.id, account]))
}

/** By the addresses that they are shown with, in small letters. */
export async function listAccountsByEmail(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await listAccountsAt(config, db, organization_id, emails)
  // A real address that is not shown to others is no name for anyone.
  return new Map(rows.map((account) => [displayEmail(config, account).toLowerCase(), account]))
}

/** Finds an account by an address that the viewer is shown: the one for everyone, or the real one beside it. */
export async function findAccountByShownEmail(
  config: Config,
  db: Db,
  { organization_id, role }: { organization_id: OrganizationId; role: Role },
  email: string,
): Promise<Account | undefined> {
  const rows = await listAccountsAt(config, db, organization_id, [email])
  const isIt = (shown: string) => shown.toLowerCase() === email.toLowerCase()
  return (
    rows.find((account) => isIt(displayEmail(config, account))) ??
    rows.find((account) => isToldAddresses(account, role) && isIt(account.delivery_email))
  )
}

/** Accounts whose real or shown address may be one of these. */
async function listAccountsAt(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Account[]> {
  const sought = emails.map((email) => email.toLowerCase())
  const { rows } = await sql<Account>`
    select * from ${accounts(organization_id)}
    where lower(delivery_email) = any(${sought}::text[])
      or id = any(${idsInHiddenAddresses(config, sought)}::bigint[])`.execute(db)
  return rows
}

/** The server's own. */
export interface SystemAccount {
  id: UserId
  email: string
  full_name: string
}

export async function listSystemAccounts(db: Db): Promise<SystemAccount[]> {
  return db.selectFrom('system_account').selectAll().orderBy('id').execute()
}

/** The account that the server sends notices with. */
export async function getNotificationBot(db: Db): Promise<SystemAccount> {
  return db
    .selectFrom('system_account')
    .selectAll()
    .where('email', '=', notificationBotEmail)
    .executeTakeFirstOrThrow()
}

const notificationBotEmail = 'notification-bot@oxbow.invalid'
