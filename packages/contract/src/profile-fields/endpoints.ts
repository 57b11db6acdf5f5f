import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { profileFieldId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { convertedJson, json, path, text } from '../kernel/params.ts'
import { dictionary, maxItems } from '../kernel/schemas.ts'
import { profileField } from './shape.ts'

const label = {
  name: text(z.string().default('')),
  hint: text(z.string().default('')),
  field_data: convertedJson(dictionary().default({})),
}

const definitionErrors = [
  'FIELD_LABEL_BLANK',
  'FIELD_LABEL_EXISTS',
  'FIELD_WITHOUT_CHOICES',
  'FIELD_ACCOUNT_TYPE_INVALID',
  'FIELD_PATTERN_MISSING',
  'FIELD_PATTERN_MALFORMED',
] as const satisfies ErrorName[]

export const list = endpoint({
  summary: 'List the custom profile fields of the organization.',
  method: 'GET',
  path: '/api/v1/realm/profile_fields',
  auth: 'user',
  params: {},
  response: { custom_fields: z.array(profileField) },
  errors: [],
})

export const create = endpoint({
  summary: 'Add a custom profile field.',
  method: 'POST',
  path: '/api/v1/realm/profile_fields',
  auth: 'user',
  only: ['administrators'],
  params: {
    ...label,
    field_type: json(z.int()),
  },
  response: { id: profileFieldId },
  errors: [...definitionErrors, 'FIELD_TYPE_INVALID', 'TOO_MANY_PROFILE_FIELDS'],
})

export const reorder = endpoint({
  summary: 'Reorder the custom profile fields.',
  method: 'PATCH',
  path: '/api/v1/realm/profile_fields',
  auth: 'user',
  only: ['administrators'],
  params: { order: json(maxItems(profileFieldId, 1_000)) },
  response: {},
  errors: ['FIELD_ORDER_INVALID'],
})

export const update = endpoint({
  summary: 'Change a custom profile field. Its type cannot be changed.',
  method: 'PATCH',
  path: '/api/v1/realm/profile_fields/{field_id}',
  auth: 'user',
  only: ['administrators'],
  params: { field_id: path(profileFieldId), ...label },
  response: {},
  errors: [...definitionErrors, 'FIELD_NOT_FOUND', 'FIELD_IS_BUILT_IN'],
})

export const remove = endpoint({
  summary: "Delete a custom profile field, with all users' values of it.",
  method: 'DELETE',
  path: '/api/v1/realm/profile_fields/{field_id}',
  auth: 'user',
  only: ['administrators'],
  params: { field_id: path(profileFieldId) },
  response: {},
  errors: ['FIELD_NOT_FOUND'],
})
