import { ApiError, type LinkifierId, type OrganizationId } from '@oxbow/contract'
import type { Insertable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { LinkifierRow, Tables } from '../../platform/database/tables.ts'

/** Lists linkifiers by id, which is the order in which they apply. */
export async function listLinkifierRows(db: Db, organization_id: OrganizationId): Promise<LinkifierRow[]> {
  return db
    .selectFrom('linkifier')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy('id')
    .execute()
}

export async function insertLinkifier(tx: Tx, values: Insertable<Tables['linkifier']>): Promise<LinkifierId> {
  const { id } = await tx
    .insertInto('linkifier')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'linkifier_pattern_key')
        throw new ApiError('LINKIFIER_INVALID', { text: takenMessage, errors: { __all__: [takenMessage] } })
      throw error
    })
  return id
}

const takenMessage = 'Realm filter with this Realm and Pattern already exists.'

/** Deletes a linkifier. Returns whether it existed. */
export async function deleteLinkifier(
  tx: Tx,
  organization_id: OrganizationId,
  id: LinkifierId,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('linkifier')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
