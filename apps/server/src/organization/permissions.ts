import { isAdministrator, isAllowedBy, Role } from '@oxbow/contract'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'

/** What the organization's policies let an account do. */
export function permissionsOf(
  organization: OrganizationRow,
  { role, date_joined }: Pick<UserRow, 'role' | 'date_joined'>,
) {
  const standing = {
    is_admin: isAdministrator(role),
    is_guest: role === Role.guest,
    date_joined: date_joined.toISOString(),
  }
  const { create_stream_policy, invite_to_stream_policy, waiting_period_threshold } = organization
  return {
    can_create_streams: isAllowedBy(create_stream_policy, waiting_period_threshold, standing),
    can_subscribe_other_users: isAllowedBy(invite_to_stream_policy, waiting_period_threshold, standing),
  }
}
