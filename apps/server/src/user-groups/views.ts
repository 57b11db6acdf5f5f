import type { UserGroup, UserId } from '@oxbow/contract'
import type { UserGroupRow } from '../platform/database/tables.ts'

export function viewGroup({ id, name, description }: UserGroupRow, members: UserId[]): UserGroup {
  return { id, name, description, members }
}
