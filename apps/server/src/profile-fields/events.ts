import type { OrganizationId } from '@oxbow/contract'
import type { Emission } from '../events/record.ts'
import type { ProfileFieldRow } from '../platform/database/tables.ts'
import { viewProfileField } from './views.ts'

/**
 * Builds the event with the complete list of fields, which must have been read after locking the
 * organization's row.
 */
export function profileFieldsChanged(
  organization_id: OrganizationId,
  op: 'add' | 'update' | 'delete',
  fields: ProfileFieldRow[],
): Emission {
  return {
    organization_id,
    event: { type: 'custom_profile_fields', op, fields: fields.map(viewProfileField) },
    to: { roles: 'everyone' },
    // Deleting a field deletes the values of all users, so cached users are invalidated.
    ...(op === 'delete' && { effects: [{ kind: 'organization' }] }),
  }
}
