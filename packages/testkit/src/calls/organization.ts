import type { World } from '../world.ts'

/** Sets columns of the organization by an SQL assignment such as `allow_message_editing = false`. */
export async function setOrganizationRules(
  { database, organization_id }: World,
  assignment: string,
): Promise<void> {
  await database.query(`update organization set ${assignment} where id = $1`, [organization_id])
}
