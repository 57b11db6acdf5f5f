import { emit } from '../events/emit.ts'
import { getUsedSpace } from '../messages/attachments/queries.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import { updateOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import { lockRoles } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'

export interface ShownQuota {
  name: string
  /** Size of all uploads in bytes. */
  used: number
  /** Maximum size of all uploads in bytes; null if there is no limit. */
  quota: number | null
}

/**
 * Returns how much storage an organization's uploads use. Sets the quota first unless `quota` is
 * undefined.
 */
export async function changeUploadQuota(
  app: App,
  subdomain: string,
  quota?: number | null,
): Promise<ShownQuota> {
  const organization = await getOrganizationAt(app, subdomain)
  const { id, name, plan_type: value } = organization
  if (quota !== undefined)
    await inTransaction(app.db, async (tx) => {
      await lockRoles(tx, id, 'shared')
      await updateOrganization(tx, id, { upload_quota: quota })
      emit(tx, {
        organization_id: id,
        // The protocol has no event for the quota alone, so the event also contains the unchanged
        // plan.
        event: {
          type: 'realm',
          op: 'update',
          property: 'plan_type',
          value,
          extra_data: { upload_quota: quota },
        },
        to: { roles: 'everyone' },
        effects: [{ kind: 'organization' }],
      })
    })
  const { bytes, upload_quota } = await getUsedSpace(app.db, id)
  return { name, used: bytes, quota: upload_quota }
}
