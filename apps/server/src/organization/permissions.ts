import {
  allOf,
  allowedBy,
  type Decision,
  decideByPolicy,
  isAdministrator,
  Role,
  refusedBy,
} from '@oxbow/contract'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'

type Account = Pick<UserRow, 'role' | 'date_joined'>

/** What the organization's policies let an account do. */
export function permissionsOf(organization: OrganizationRow, account: Account) {
  return {
    can_create_streams: decideToCreateStreams(organization, account).allowed,
    can_subscribe_other_users: decideToSubscribeOthers(organization, account).allowed,
  }
}

export function decideToCreateStreams(organization: OrganizationRow, account: Account): Decision {
  return decide(organization.create_stream_policy, organization, account)
}

export function decideToSubscribeOthers(organization: OrganizationRow, account: Account): Decision {
  return decide(organization.invite_to_stream_policy, organization, account)
}

type Inviting = Pick<OrganizationRow, 'invite_by_admins_only' | 'invite_required'>

export function decideToInvite(organization: Inviting, account: Account): Decision {
  return allOf(decideByInvitingPolicy(organization, account), decideByAge(organization, account))
}

export function decideByInvitingPolicy(
  { invite_by_admins_only }: Pick<Inviting, 'invite_by_admins_only'>,
  { role }: Pick<UserRow, 'role'>,
): Decision {
  return leftToAdministrators(invite_by_admins_only, role)
}

/** How old an account must be to invite others where anyone can have one, in milliseconds. */
const oldEnough = 3 * 24 * 3_600_000

/** Where anyone can join, someone could do so only to have letters sent. */
export function decideByAge(
  { invite_required }: Pick<Inviting, 'invite_required'>,
  { role, date_joined }: Account,
): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  const isTooNew = !invite_required && Date.now() - date_joined.getTime() < oldEnough
  return isTooNew ? refusedBy('too_new_to_invite') : allowedBy('policy_members')
}

const administratorsOnly = 2

export function decideToEditGroups(
  { user_group_edit_policy }: Pick<OrganizationRow, 'user_group_edit_policy'>,
  { role }: Pick<UserRow, 'role'>,
): Decision {
  return leftToAdministrators(user_group_edit_policy === administratorsOnly, role)
}

/** For what all members may do unless the organization leaves it to administrators. */
export function leftToAdministrators(isLeft: boolean, role: Role): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  return isLeft ? refusedBy('policy_administrators') : allowedBy('policy_members')
}

function decide(
  policy: number,
  { waiting_period_threshold }: OrganizationRow,
  { role, date_joined }: Account,
): Decision {
  return decideByPolicy(policy, waiting_period_threshold, {
    is_admin: isAdministrator(role),
    is_guest: role === Role.guest,
    date_joined: date_joined.toISOString(),
  })
}
