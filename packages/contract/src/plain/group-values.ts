import { isAdministrator, isModerator, Role } from './roles.ts'

/**
 * Groups whose members follow from the roles of accounts. Their ids are the same in every organization, and
 * above all ids of groups that people create.
 */
export const SystemGroup = {
  nobody: 2_147_483_001,
  owners: 2_147_483_002,
  administrators: 2_147_483_003,
  moderators: 2_147_483_004,
  fullMembers: 2_147_483_005,
  members: 2_147_483_006,
  everyone: 2_147_483_007,
} as const
export type SystemGroup = (typeof SystemGroup)[keyof typeof SystemGroup]

/** System groups, each a subset of the next one. */
export const systemGroups = Object.values(SystemGroup)

export const isSystemGroup = (id: number): id is SystemGroup => systemGroups.includes(id as SystemGroup)

/** The accounts to which a right is given: by name, and as members of groups. */
export interface GroupValue {
  readonly direct_members: readonly number[]
  readonly direct_subgroups: readonly number[]
}

/** The properties of an account on which its rights depend. */
export interface RightHolder {
  readonly id: number
  readonly role: Role
  /** Whether the account joined less than the organization's waiting period ago. */
  readonly isNew: boolean
  /** The groups of people that the account is in, directly or through a sub-group. */
  readonly groups: readonly number[]
}

/** Returns whether accounts with this role are members of the system group. */
export function isInSystemGroup(
  group: SystemGroup,
  { role, isNew }: Pick<RightHolder, 'role' | 'isNew'>,
): boolean {
  switch (group) {
    case SystemGroup.nobody:
      return false
    case SystemGroup.owners:
      return role === Role.owner
    case SystemGroup.administrators:
      return isAdministrator(role)
    case SystemGroup.moderators:
      return isModerator(role)
    case SystemGroup.fullMembers:
      return isModerator(role) || (role === Role.member && !isNew)
    case SystemGroup.members:
      return role <= Role.member
    case SystemGroup.everyone:
      return true
  }
}

/** Returns whether the value names the account, or one of its groups other than the system groups. */
export const isNamedBy = (
  { direct_members, direct_subgroups }: GroupValue,
  { id, groups }: RightHolder,
): boolean => direct_members.includes(id) || direct_subgroups.some((group) => groups.includes(group))

/** Returns whether the account is in one of the value's system groups. */
export const isInRoleOf = ({ direct_subgroups }: GroupValue, holder: RightHolder): boolean =>
  direct_subgroups.some((group) => isSystemGroup(group) && isInSystemGroup(group, holder))
