import type { OrganizationId, SessionId, UserId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

interface SessionOwner {
  organization_id: OrganizationId
  user_id: UserId
}

/** Sessions of devices that are not trusted end this long after signing in. */
const ordinaryLife = sql.lit('24 hours')
/** Sessions of trusted devices end this long after their last use … */
const trustedIdleLife = sql.lit('30 days')
/** … and this long after signing in. */
const trustedLife = sql.lit('365 days')

export async function insertSession(
  tx: Tx,
  values: Omit<Insertable<Tables['session']>, 'expires_at'>,
): Promise<void> {
  const life = values.is_trusted ? trustedIdleLife : ordinaryLife
  await tx
    .insertInto('session')
    .values({ ...values, expires_at: sql<Date>`now() + ${life}::interval` })
    .execute()
}

/** Deletes the sessions that were used least recently and returns their number. */
export async function deleteSurplusSessions(
  tx: Tx,
  { organization_id, user_id, keeps }: SessionOwner & { keeps: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from session where organization_id = ${organization_id} and id in (
      select id from session where organization_id = ${organization_id} and user_id = ${user_id}
      order by last_seen_at desc, id desc offset ${keeps})`.execute(tx)
  return Number(numAffectedRows)
}

/** Returns the account whose session it was. */
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

export async function deleteSessions(
  tx: Tx,
  {
    organization_id,
    user_id,
    only,
    except,
  }: SessionOwner & { only?: SessionId; except?: SessionId | undefined },
): Promise<number> {
  let deletion = tx
    .deleteFrom('session')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
  if (only !== undefined) deletion = deletion.where('id', '=', only)
  if (except !== undefined) deletion = deletion.where('id', '!=', except)
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

/** Records that sessions were used now, which prolongs those of trusted devices. */
export async function updateLastUse(db: Db, uses: readonly SessionUse[]): Promise<void> {
  await sql`
    update session s set last_seen_at = now(), address = used.address,
      expires_at = case when s.is_trusted
        then least(now() + ${trustedIdleLife}::interval, s.created_at + ${trustedLife}::interval)
        else s.expires_at end
    from unnest(
      ${uses.map(({ organization_id }) => organization_id)}::bigint[],
      ${uses.map(({ id }) => id)}::bigint[],
      ${uses.map(({ address }) => address)}::text[]
    ) as used (organization_id, id, address)
    where s.organization_id = used.organization_id and s.id = used.id and s.expires_at > now()`.execute(db)
}
