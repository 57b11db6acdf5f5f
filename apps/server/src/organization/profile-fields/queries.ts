import { ApiError, type OrganizationId, type ProfileFieldId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { ProfileFieldRow, Tables } from '../../platform/database/tables.ts'

export async function listProfileFields(db: Db, organization_id: OrganizationId): Promise<ProfileFieldRow[]> {
  return db
    .selectFrom('profile_field')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Lists the fields and locks them, so that they cannot be deleted until the transaction ends. */
export async function lockProfileFields(tx: Tx, organization_id: OrganizationId): Promise<ProfileFieldRow[]> {
  return tx
    .selectFrom('profile_field')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

export async function findProfileField(
  db: Db,
  organization_id: OrganizationId,
  id: ProfileFieldId,
): Promise<ProfileFieldRow | undefined> {
  return db
    .selectFrom('profile_field')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Appends a new field. Its position is its id until the list is reordered. */
export async function insertProfileField(
  tx: Tx,
  values: Omit<Insertable<Tables['profile_field']>, 'position'>,
): Promise<ProfileFieldId> {
  const { id } = await tx
    .insertInto('profile_field')
    .values({ ...values, position: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
  await updateProfileField(tx, values.organization_id, id, { position: id })
  return id
}

export async function updateProfileField(
  tx: Tx,
  organization_id: OrganizationId,
  id: ProfileFieldId,
  values: Updateable<Tables['profile_field']>,
): Promise<void> {
  await tx
    .updateTable('profile_field')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
    .catch(refuseTakenName)
}

export async function deleteProfileField(
  tx: Tx,
  organization_id: OrganizationId,
  id: ProfileFieldId,
): Promise<void> {
  await tx
    .deleteFrom('profile_field')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

export async function orderProfileFields(
  tx: Tx,
  organization_id: OrganizationId,
  order: ProfileFieldId[],
): Promise<void> {
  await sql`
    update profile_field set position = ordered.ordinal - 1
    from unnest(${order}::bigint[]) with ordinality as ordered (id, ordinal)
    where profile_field.organization_id = ${organization_id} and profile_field.id = ordered.id`.execute(tx)
}

function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) === 'profile_field_name_key') throw new ApiError('FIELD_LABEL_EXISTS')
  throw error
}
