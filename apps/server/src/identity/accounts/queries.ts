import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'

/**
 * An account that can be the sender or a recipient of a message: a person, a bot or a system
 * account of the server, active or deactivated.
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

/** Lists accounts that have one of these delivery addresses, in lower case, or one of these ids. */
export async function listAccountsByEmailOrId(
  db: Db,
  organization_id: OrganizationId,
  lowerCaseEmails: readonly string[],
  ids: readonly number[],
): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select * from ${accountsSubquery(organization_id)}
    where lower(delivery_email) = any(${lowerCaseEmails}::text[]) or id = any(${ids}::bigint[])`.execute(db)
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

/** System accounts that send messages to users. */
export type SystemBot = 'notification' | 'welcome'

/** Returns the account of a system bot. */
export async function getSystemBot(db: Db, name: SystemBot): Promise<SystemAccount> {
  return db
    .selectFrom('system_account')
    .selectAll()
    .where('email', '=', systemBotEmails[name])
    .executeTakeFirstOrThrow()
}

const systemBotEmails: Readonly<Record<SystemBot, string>> = {
  notification: 'notification-bot@oxbow.invalid',
  welcome: 'welcome-bot@oxbow.invalid',
}

/** Returns the role of an account as of the connection's snapshot; a request's `Actor` may be older. */
export async function getRole(
  db: Db,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
): Promise<Role> {
  const { role } = await db
    .selectFrom('user_account')
    .select('role')
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  return role
}
