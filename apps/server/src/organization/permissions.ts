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

/** Returns which actions the organization's policies allow to an account. */
export function viewPermissions(organization: OrganizationRow, account: Account) {
  return {
    can_create_streams: decideMayCreateStreams(organization, account).allowed,
    can_subscribe_other_users: decideMaySubscribeOthers(organization, account).allowed,
  }
}

export function decideMayCreateStreams(organization: OrganizationRow, account: Account): Decision {
  return decideByOrganizationPolicy(organization.create_stream_policy, organization, account)
}

export function decideMaySubscribeOthers(organization: OrganizationRow, account: Account): Decision {
  return decideByOrganizationPolicy(organization.invite_to_stream_policy, organization, account)
}

type InvitePolicies = Pick<OrganizationRow, 'invite_by_admins_only' | 'invite_required'>

export function decideMayInvite(organization: InvitePolicies, account: Account): Decision {
  return allOf(decideByInvitePolicy(organization, account), decideByAccountAge(organization, account))
}

export function decideByInvitePolicy(
  { invite_by_admins_only }: Pick<InvitePolicies, 'invite_by_admins_only'>,
  { role }: Pick<UserRow, 'role'>,
): Decision {
  return decideByAdministratorPolicy(invite_by_admins_only, role)
}

/** Minimum age of an account that may invite others, in organizations where anyone can sign up. */
const minInviterAgeMs = 3 * 24 * 3_600_000

/**
 * Refuses invitations by new accounts in organizations where anyone can sign up. Otherwise anyone
 * could sign up just to send e-mails through the server.
 */
export function decideByAccountAge(
  { invite_required }: Pick<InvitePolicies, 'invite_required'>,
  { role, date_joined }: Account,
): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  const isTooNew = !invite_required && Date.now() - date_joined.getTime() < minInviterAgeMs
  return isTooNew ? refusedBy('too_new_to_invite') : allowedBy('policy_members')
}

export type ResolvePolicies = Pick<OrganizationRow, 'resolve_topics_policy' | 'waiting_period_threshold'>

export function decideMayResolveTopics(organization: ResolvePolicies, account: Account): Decision {
  return decideByOrganizationPolicy(organization.resolve_topics_policy, organization, account)
}

const administratorsOnly = 2

export function decideMayEditGroups(
  { user_group_edit_policy }: Pick<OrganizationRow, 'user_group_edit_policy'>,
  { role }: Pick<UserRow, 'role'>,
): Decision {
  return decideByAdministratorPolicy(user_group_edit_policy === administratorsOnly, role)
}

/** Decides about an action that all members may perform, or only administrators if `isRestricted`. */
export function decideByAdministratorPolicy(isRestricted: boolean, role: Role): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  return isRestricted ? refusedBy('policy_administrators') : allowedBy('policy_members')
}

function decideByOrganizationPolicy(
  policy: number,
  { waiting_period_threshold }: Pick<OrganizationRow, 'waiting_period_threshold'>,
  { role, date_joined }: Account,
): Decision {
  return decideByPolicy(policy, waiting_period_threshold, {
    is_admin: isAdministrator(role),
    is_guest: role === Role.guest,
    date_joined: date_joined.toISOString(),
  })
}
