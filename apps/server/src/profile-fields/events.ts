import type { OrganizationId } from '@oxbow/contract'
import type { Emission } from '../events/record.ts'
import type { ProfileFieldRow } from '../platform/database/tables.ts'
import { viewProfileField } from './views.ts'

/** Announces the whole list, which must be read after the organization's row was locked. */
export function profileFieldsChanged(
  organization_id: OrganizationId,
  op: 'add' | 'update' | 'delete',
  fields: ProfileFieldRow[],
): Emission {
  return {
    organization_id,
    event: { type: 'custom_profile_fields', op, fields: fields.map(viewProfileField) },
    to: { roles: 'everyone' },
    // Deleting a field deletes the values of all users.
    ...(op === 'delete' && { effects: [{ kind: 'organization' }] }),
  }
}
