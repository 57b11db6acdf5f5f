import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { userGroupId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { maxUserGroupDescription, maxUserGroupName, userGroup } from '../shapes/user-group.ts'

const name = maxCharacters(maxUserGroupName)
const description = maxCharacters(maxUserGroupDescription)
const accounts = z.array(userId).default([])
const editErrors = [
  'MUST_BE_ADMINISTRATOR',
  'USER_GROUP_INVALID',
  'USER_GROUP_OF_OTHERS',
] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'The groups of people in this organization.',
  method: 'GET',
  path: '/api/v1/user_groups',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { user_groups: z.array(userGroup) },
  errors: [],
})

export const create = endpoint({
  summary: 'Make a group of people, who are then mentioned together.',
  description: 'Whoever makes it is in it only if they are named.',
  method: 'POST',
  path: '/api/v1/user_groups/create',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { name: text(name), description: text(description), members: json(accounts) },
  response: { id: userGroupId },
  errors: [
    'MUST_BE_ADMINISTRATOR',
    'USER_GROUP_NAME_EMPTY',
    'INVALID_USER_ID',
    'USER_GROUP_EXISTS',
    'TOO_MANY_USER_GROUPS',
  ],
})

export const update = endpoint({
  summary: 'Change the name or the description of a group.',
  description: 'What is not given stays as it is, and so does the name where an empty one is given.',
  method: 'PATCH',
  path: '/api/v1/user_groups/{user_group_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {
    user_group_id: path(userGroupId),
    name: text(name.optional()),
    description: text(description.optional()),
  },
  response: {},
  errors: [...editErrors, 'USER_GROUP_NOTHING_TO_CHANGE', 'USER_GROUP_NAME_EMPTY', 'USER_GROUP_EXISTS'],
})

export const remove = endpoint({
  summary: 'Delete a group; its members stay.',
  method: 'DELETE',
  path: '/api/v1/user_groups/{user_group_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { user_group_id: path(userGroupId) },
  response: {},
  errors: [...editErrors],
})

export const changeMembers = endpoint({
  summary: 'Put people into a group, then take people out.',
  method: 'POST',
  path: '/api/v1/user_groups/{user_group_id}/members',
  auth: 'user',
  only: ['not guests', 'people'],
  params: { user_group_id: path(userGroupId), add: json(accounts), delete: json(accounts) },
  response: {},
  errors: [
    ...editErrors,
    'NOTHING_TO_ADD_OR_DELETE',
    'INVALID_USER_ID',
    'ALREADY_IN_USER_GROUP',
    'NOT_IN_USER_GROUP',
  ],
})
