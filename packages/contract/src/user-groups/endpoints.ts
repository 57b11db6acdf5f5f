import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { userGroupId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, path, text } from '../kernel/params.ts'
import { maxCharacters, maxItems } from '../kernel/schemas.ts'
import {
  maxMembersPerRequest,
  maxSubgroupsPerRequest,
  maxUserGroupDescriptionLength,
  maxUserGroupNameLength,
  userGroup,
} from './shape.ts'

const groupName = `The name of the group, of up to ${maxUserGroupNameLength} characters.`
const groupDescription = `The description of the group, of up to ${maxUserGroupDescriptionLength} characters.`

const name = maxCharacters(maxUserGroupNameLength)
const description = maxCharacters(maxUserGroupDescriptionLength)
const accounts = maxItems(userId, maxMembersPerRequest).default([])
const subgroups = maxItems(userGroupId, maxSubgroupsPerRequest).default([])
const editErrors = [
  'MUST_BE_ADMINISTRATOR',
  'USER_GROUP_INVALID',
  'USER_GROUP_OF_OTHERS',
  'USER_GROUP_GIVES_RIGHTS',
] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'List the user groups of the organization.',
  method: 'GET',
  path: '/api/v1/user_groups',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { user_groups: field(z.array(userGroup), 'The user groups, ordered by id.') },
  errors: [],
})

export const create = endpoint({
  summary: 'Create a user group, whose members can be mentioned together.',
  description: 'The caller becomes a member only if listed in `members`.',
  method: 'POST',
  path: '/api/v1/user_groups/create',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    name: text(name, groupName),
    description: text(description, groupDescription),
    members: json(accounts, 'The user ids of the members. The caller is a member only if listed.'),
  },
  response: { id: field(userGroupId, 'The id of the new group.') },
  errors: [
    'MUST_BE_ADMINISTRATOR',
    'USER_GROUP_NAME_EMPTY',
    'USER_GROUP_NAME_RESERVED',
    'INVALID_USER_ID',
    'USER_GROUP_EXISTS',
    'TOO_MANY_USER_GROUPS',
    'TOO_MANY_GROUP_MEMBERS',
  ],
})

export const update = endpoint({
  summary: 'Change the name or the description of a user group.',
  description: 'Absent parameters and an empty name change nothing.',
  method: 'PATCH',
  path: '/api/v1/user_groups/{user_group_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    user_group_id: path(userGroupId, texts.userGroupId),
    name: text(name.optional(), `${groupName} Unchanged if empty or absent.`),
    description: text(description.optional(), `${groupDescription} Unchanged if absent.`),
  },
  response: {},
  errors: [
    ...editErrors,
    'USER_GROUP_NOTHING_TO_CHANGE',
    'USER_GROUP_NAME_EMPTY',
    'USER_GROUP_NAME_RESERVED',
    'USER_GROUP_EXISTS',
  ],
})

export const remove = endpoint({
  summary: 'Delete a user group. The accounts of its members are kept.',
  method: 'DELETE',
  path: '/api/v1/user_groups/{user_group_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { user_group_id: path(userGroupId, texts.userGroupId) },
  response: {},
  errors: [...editErrors, 'USER_GROUP_IN_USE'],
})

export const changeSubgroups = endpoint({
  summary: 'Add sub-groups to a user group, then remove sub-groups.',
  description:
    'Members of a sub-group are members of the group too: they are mentioned with it, and have its rights.',
  method: 'POST',
  path: '/api/v1/user_groups/{user_group_id}/subgroups',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    user_group_id: path(userGroupId, texts.userGroupId),
    add: json(subgroups, 'The ids of the groups to add.'),
    delete: json(
      subgroups,
      'The ids of the groups to remove. They are removed after those in `add` were added.',
    ),
  },
  response: {},
  errors: [
    ...editErrors,
    'NOTHING_TO_ADD_OR_DELETE',
    'ALREADY_SUBGROUP',
    'NOT_SUBGROUP',
    'USER_GROUP_CIRCLE',
    'TOO_MANY_SUBGROUPS',
  ],
})

export const changeMembers = endpoint({
  summary: 'Add members to a user group, then remove members.',
  method: 'POST',
  path: '/api/v1/user_groups/{user_group_id}/members',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    user_group_id: path(userGroupId, texts.userGroupId),
    add: json(accounts, 'The ids of the users to add.'),
    delete: json(
      accounts,
      'The ids of the users to remove. They are removed after the users in `add` were added.',
    ),
  },
  response: {},
  errors: [
    ...editErrors,
    'NOTHING_TO_ADD_OR_DELETE',
    'INVALID_USER_ID',
    'ALREADY_IN_USER_GROUP',
    'TOO_MANY_GROUP_MEMBERS',
    'NOT_IN_USER_GROUP',
  ],
})
