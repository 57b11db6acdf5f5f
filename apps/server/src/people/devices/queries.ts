import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

type AccountKey = Pick<Actor, 'organization_id' | 'user_id'>

export interface Device {
  kind: Tables['device']['kind']
  token: string
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Registers a device. Also reassigns a token registered to another account. */
export async function upsertDevice(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  { kind, token }: Device,
  app_id: string | null,
): Promise<void> {
  await sql`
    insert into device as known (organization_id, kind, token, token_digest, user_id, app_id)
    values (${organization_id}, ${kind}, ${token}, ${hashToken(token)}, ${user_id}, ${app_id})
    on conflict (organization_id, kind, token_digest) do update
      set user_id = excluded.user_id, app_id = excluded.app_id, added_at = now()
      where (known.user_id, known.app_id) is distinct from (excluded.user_id, excluded.app_id)`.execute(tx)
}

/** Deletes all devices of an account except the newest `maxDevices`. */
export async function deleteOldDevices(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  maxDevices: number,
): Promise<void> {
  await sql`
    delete from device where (organization_id, kind, token_digest) in (
      select organization_id, kind, token_digest from device
      where organization_id = ${organization_id} and user_id = ${user_id}
      order by added_at desc offset ${maxDevices})`.execute(tx)
}

/** Returns false if the account has no such device. */
export async function deleteDevice(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  { kind, token }: Device,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('device')
    .where('organization_id', '=', organization_id)
    .where('kind', '=', kind)
    .where('token_digest', '=', hashToken(token))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
