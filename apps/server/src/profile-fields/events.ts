import type { OrganizationId } from '@oxbow/contract'
import type { Emission } from '../events/record.ts'
import type { ProfileFieldRow } from '../platform/database/tables.ts'
import { viewProfileField } from './views.ts'

/** The whole list, read after the row that owns it was locked. */
export function profileFieldsChanged(
  organization_id: OrganizationId,
  op: 'add' | 'update' | 'delete',
  fields: ProfileFieldRow[],
): Emission {
  return {
    organization_id,
    event: { type: 'custom_profile_fields', op, fields: fields.map(viewProfileField) },
    to: { roles: 'everyone' },
    // With a field go everybody's values.
    ...(op === 'delete' && { effects: [{ kind: 'organization' }] }),
  }
}
