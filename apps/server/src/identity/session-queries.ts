import type { OrganizationId, SessionId, UserId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

interface SessionOwner {
  organization_id: OrganizationId
  user_id: UserId
}

/** Sessions on devices that are not trusted end this long after the sign-in. */
const untrustedLifetime = sql.lit('24 hours')
/** Sessions on trusted devices end this long after their last use. */
const trustedIdleTimeout = sql.lit('30 days')
/** Sessions on trusted devices end at the latest this long after the sign-in. */
const maxTrustedLifetime = sql.lit('365 days')

export async function insertSession(
  tx: Tx,
  values: Omit<Insertable<Tables['session']>, 'expires_at'>,
): Promise<void> {
  const lifetime = values.is_trusted ? trustedIdleTimeout : untrustedLifetime
  await tx
    .insertInto('session')
    .values({ ...values, expires_at: sql<Date>`now() + ${lifetime}::interval` })
    .execute()
}

/**
 * Deletes the least recently used sessions of an account, so that at most `maxRemaining` remain.
 * Returns how many it deleted.
 */
export async function deleteSurplusSessions(
  tx: Tx,
  { organization_id, user_id, maxRemaining }: SessionOwner & { maxRemaining: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from session where organization_id = ${organization_id} and id in (
      select id from session where organization_id = ${organization_id} and user_id = ${user_id}
      order by last_seen_at desc, id desc offset ${maxRemaining})`.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes a session, and returns the account that it belonged to. */
export async function deleteSessionByToken(
  tx: Tx,
  organization_id: OrganizationId,
  token_hash: Buffer,
): Promise<SessionOwner | undefined> {
  return tx
    .deleteFrom('session')
    .where('organization_id', '=', organization_id)
    .where('token_hash', '=', token_hash)
    .returning(['organization_id', 'user_id'])
    .executeTakeFirst()
}

/** Deletes all sessions of an account, only `onlyId`, or all except `exceptId`. Returns how many it deleted. */
export async function deleteSessions(
  tx: Tx,
  {
    organization_id,
    user_id,
    onlyId,
    exceptId,
  }: SessionOwner & { onlyId?: SessionId; exceptId?: SessionId | undefined },
): Promise<number> {
  let deletion = tx
    .deleteFrom('session')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
  if (onlyId !== undefined) deletion = deletion.where('id', '=', onlyId)
  if (exceptId !== undefined) deletion = deletion.where('id', '!=', exceptId)
  const { numDeletedRows } = await deletion.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes up to `limit` expired sessions and returns their accounts. */
export async function deleteExpiredSessions(tx: Tx, limit: number): Promise<SessionOwner[]> {
  const { rows } = await sql<SessionOwner>`
    delete from session where (organization_id, id) in (
      select organization_id, id from session where expires_at <= now() limit ${limit} for update skip locked)
    returning organization_id, user_id`.execute(tx)
  return rows
}

export interface SessionUse {
  organization_id: OrganizationId
  id: SessionId
  address: string
}

/** Records that sessions were used now, which extends sessions on trusted devices. */
export async function updateLastUse(db: Db, uses: readonly SessionUse[]): Promise<void> {
  await sql`
    update session s set last_seen_at = now(), address = used.address,
      expires_at = case when s.is_trusted
        then least(now() + ${trustedIdleTimeout}::interval, s.created_at + ${maxTrustedLifetime}::interval)
        else s.expires_at end
    from unnest(
      ${uses.map(({ organization_id }) => organization_id)}::bigint[],
      ${uses.map(({ id }) => id)}::bigint[],
      ${uses.map(({ address }) => address)}::text[]
    ) as used (organization_id, id, address)
    where s.organization_id = used.organization_id and s.id = used.id and s.expires_at > now()`.execute(db)
}
