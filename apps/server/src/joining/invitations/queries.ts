import type { InvitationId, OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { InvitationRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { isOpenInvitation } from './open.ts'

/** Lists the valid invitations of all users, or only those of one inviter. */
export async function listInvitations(
  db: Db,
  organization_id: OrganizationId,
  by?: UserId,
): Promise<InvitationRow[]> {
  const all = db
    .selectFrom('invitation')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where(isOpenInvitation('invitation'))
    .orderBy('id')
  return by === undefined ? all.execute() : all.where('invited_by', '=', by).execute()
}

export async function findInvitation(
  db: Db,
  organization_id: OrganizationId,
  id: InvitationId,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where(isOpenInvitation('invitation'))
    .executeTakeFirst()
}

/** Finds an invitation link by its key. */
export async function findLinkByKey(db: Db, key_hash: Buffer): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('key_hash', '=', key_hash)
    .where('email', 'is', null)
    .where(isOpenInvitation('invitation'))
    .executeTakeFirst()
}

type NewInvitation = Omit<
  Insertable<Tables['invitation']>,
  'organization_id' | 'invited_at' | 'letters' | 'ended_at' | 'resent_at'
>

/** Inserts invitations to the same streams with two statements, regardless of their number. */
export async function insertInvitations(
  tx: Tx,
  organization_id: OrganizationId,
  invitations: readonly NewInvitation[],
  streams: readonly StreamId[],
): Promise<InvitationId[]> {
  const { rows } = await sql<{ id: InvitationId }>`
    insert into invitation (organization_id, email, invited_by, role, key_hash, key_sealed, origin)
    select ${organization_id}, given.* from unnest(
      ${invitations.map(({ email }) => email)}::text[],
      ${invitations.map(({ invited_by }) => invited_by)}::bigint[],
      ${invitations.map(({ role }) => role)}::smallint[],
      ${invitations.map(({ key_hash }) => key_hash)}::bytea[],
      ${invitations.map(({ key_sealed }) => key_sealed)}::bytea[],
      ${invitations.map(({ origin }) => origin)}::text[]) as given
    returning id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into invitation_stream (organization_id, invitation_id, stream_id)
    select ${organization_id}, invitation_id, stream_id
    from unnest(${ids}::bigint[]) as invitation_id, unnest(${streams}::bigint[]) as stream_id`.execute(tx)
  return ids
}

export async function endInvitation(tx: Tx, { organization_id, id }: Id): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ ended_at: sql`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

type Id = Pick<InvitationRow, 'organization_id' | 'id'>

/**
 * Records that an invitation was sent again, which restarts its validity. Returns the time of
 * sending.
 */
export async function renewInvitation(tx: Tx, { organization_id, id }: Id): Promise<Date> {
  const { invited_at } = await tx
    .updateTable('invitation')
    .set((eb) => ({
      invited_at: sql`now()`,
      letters: eb('letters', '+', 1),
      resent_at: sql`array(select at from unnest(resent_at) as at where at > now() - interval '1 day') || now()`,
    }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning('invited_at')
    .executeTakeFirstOrThrow()
  return invited_at
}

/**
 * Counts the invitation e-mails of the last 24 hours to each of these addresses, which must be in
 * lower case. Leaves out addresses without any. Counts revoked and accepted invitations too, so
 * that revoking one does not evade the limit.
 */
export async function countInvitingEmails(
  db: Db,
  organization_id: OrganizationId,
  addresses: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ address: string; count: number }>`
    select lower(email) as address, sum(1 + (
      select count(*) from unnest(resent_at) as at where at > now() - interval '1 day')) as count
    from invitation
    where organization_id = ${organization_id} and lower(email) = any(${addresses}::text[])
      and invited_at > now() - interval '1 day'
    group by lower(email)`.execute(db)
  return new Map(rows.map(({ address, count }) => [address, Number(count)]))
}

/**
 * Counts the organization's invitation e-mails of the last day, including those of invitations that
 * were revoked since then.
 */
export async function countEmailsOfToday(db: Db, organization_id: OrganizationId): Promise<number> {
  const { letters } = await db
    .selectFrom('invitation')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('letters'), sql<number>`0`).as('letters'))
    .where('organization_id', '=', organization_id)
    .where('email', 'is not', null)
    .where('invited_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(letters)
}

/** Lists the accounts with one of these addresses, which must be in lower case. */
export async function listAccountsWithAddresses(
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Pick<UserRow, 'delivery_email' | 'is_active'>[]> {
  return db
    .selectFrom('user_account')
    .select(['delivery_email', 'is_active'])
    .where('organization_id', '=', organization_id)
    .where((eb) => eb(eb.fn('lower', ['delivery_email']), '=', eb.fn.any(eb.val([...emails]))))
    .execute()
}

/** Returns those of the addresses that belong to system bots. The addresses must be in lower case. */
export async function listReservedAddresses(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('system_account')
    .select((eb) => eb.fn<string>('lower', ['email']).as('email'))
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn.any(eb.val([...emails]))))
    .execute()
  return new Set(rows.map(({ email }) => email))
}

export async function getDateJoined(
  db: Db,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
): Promise<Date> {
  const { date_joined } = await db
    .selectFrom('user_account')
    .select('date_joined')
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  return date_joined
}
