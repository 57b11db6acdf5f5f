import type { OrganizationId, UserId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { PasswordResetRow, Tables } from '../../platform/database/tables.ts'

/** SQL condition: the link was neither used nor replaced, and has not expired. */
const isOpenReset: RawBuilder<boolean> = sql<boolean>`(
  password_reset.ended_at is null and
  password_reset.created_at > now() - make_interval(hours => password_reset.lifetime_hours))`

type NewReset = Insertable<Tables['password_reset']>

/** Stores a link and returns its id. Earlier links stay valid. */
export async function insertReset(tx: Tx, values: NewReset): Promise<number> {
  const { id } = await tx
    .insertInto('password_reset')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Invalidates all earlier links of the address, including those not mailed yet, and stores a new
 * one.
 */
export async function replaceResets(tx: Tx, values: NewReset): Promise<void> {
  await tx
    .updateTable('password_reset')
    .set({ ended_at: sql`now()` })
    .where('organization_id', '=', values.organization_id)
    .where('email', '=', values.email)
    .where('ended_at', 'is', null)
    .execute()
  await insertReset(tx, values)
}

export interface ResetCounts {
  of_network: number
  /** Seconds until the network's oldest counted request is an hour old. */
  network_frees_in: number
  of_address: number
}

/** Counts the requests of the last hour from this network and for this address. */
export async function countRequests(
  tx: Tx,
  { organization_id, email, network }: { organization_id: OrganizationId; email: string; network: string },
): Promise<ResetCounts> {
  const recent = sql`created_at > now() - interval '1 hour'`
  const { rows } = await sql<ResetCounts>`
    select n.of_network, n.network_frees_in, a.of_address
    from
      (select count(*)::int as of_network,
         coalesce(extract(epoch from min(created_at) + interval '1 hour' - now()), 0)::float as network_frees_in
       from password_reset where network = ${network} and ${recent}) n,
      (select count(*)::int as of_address from password_reset
       where organization_id = ${organization_id} and email = ${email} and network is not null and ${recent}) a`.execute(
    tx,
  )
  const [counted] = rows
  if (!counted) throw new Error('counting password resets returned no row')
  return counted
}

/** Counts the e-mails that this account got in the last day because of other requests. */
export async function countEmailsToAccount(
  tx: Tx,
  { organization_id, user_id, except }: { organization_id: OrganizationId; user_id: UserId; except: number },
): Promise<number> {
  const { emails } = await tx
    .selectFrom('password_reset')
    .select((eb) => eb.fn.countAll<number>().as('emails'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('id', '!=', except)
    .where('network', 'is not', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return emails
}

export async function findOpenReset(
  db: Db,
  organization_id: OrganizationId,
  id: number,
): Promise<PasswordResetRow | undefined> {
  return db
    .selectFrom('password_reset')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where(isOpenReset)
    .executeTakeFirst()
}

/** Finds the active account that a link is for, if it still has the address of the link. */
export async function findPersonOfReset(
  db: Db,
  { organization_id, user_id, email }: Pick<PasswordResetRow, 'organization_id' | 'user_id' | 'email'>,
): Promise<{ delivery_email: string; default_language: string } | undefined> {
  const { rows } = await sql<{ delivery_email: string; default_language: string }>`
    select u.delivery_email, s.default_language from user_account u
    join user_setting s on s.organization_id = u.organization_id and s.user_id = u.id
    where u.organization_id = ${organization_id} and u.id = ${user_id} and u.is_active
      and lower(u.delivery_email) = ${email}`.execute(db)
  return rows[0]
}

/**
 * Finds the valid link with this key, if the account still has the address that the link was sent
 * to.
 */
export async function findOpenResetByKey(
  db: Db,
  key_hash: Buffer,
): Promise<(Pick<PasswordResetRow, 'organization_id' | 'id'> & { user_id: UserId }) | undefined> {
  const { rows } = await sql<Pick<PasswordResetRow, 'organization_id' | 'id'> & { user_id: UserId }>`
    select password_reset.organization_id, password_reset.id, password_reset.user_id
    from password_reset
    join user_account u on u.organization_id = password_reset.organization_id and u.id = password_reset.user_id
      and lower(u.delivery_email) = password_reset.email
    where password_reset.key_hash = ${key_hash} and ${isOpenReset}`.execute(db)
  return rows[0]
}

export async function lockOpenReset(
  tx: Tx,
  { organization_id, id }: Pick<PasswordResetRow, 'organization_id' | 'id'>,
): Promise<PasswordResetRow | undefined> {
  return tx
    .selectFrom('password_reset')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where(isOpenReset)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Assigns a link to its account; before that the link is not valid. Invalidates the links that were
 * mailed to the account earlier, except those of the operator. Returns false, and changes nothing,
 * if a later request already has an assigned link. The caller must have locked the account.
 */
export async function assignReset(
  tx: Tx,
  { organization_id, id }: Pick<PasswordResetRow, 'organization_id' | 'id'>,
  user_id: UserId,
): Promise<boolean> {
  const requestedFor = tx
    .selectFrom('password_reset')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('network', 'is not', null)
  if (await requestedFor.where('id', '>', id).limit(1).executeTakeFirst()) return false
  await tx
    .updateTable('password_reset')
    .set({ ended_at: sql`now()` })
    .where('organization_id', '=', organization_id)
    .where('id', 'in', requestedFor.where('id', '<', id))
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .updateTable('password_reset')
    .set({ user_id })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
  return true
}
