import type { ProfileField } from '@oxbow/contract'
import type { ProfileFieldRow } from '../../platform/database/tables.ts'

export function viewProfileField({
  id,
  name,
  type,
  hint,
  field_data,
  position,
}: ProfileFieldRow): ProfileField {
  return { id, name, type, hint, field_data, order: position }
}
