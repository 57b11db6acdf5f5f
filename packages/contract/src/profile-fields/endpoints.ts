import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { profileFieldId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { convertedJson, json, path, text } from '../kernel/params.ts'
import { dictionary, maxItems } from '../kernel/schemas.ts'
import { profileField } from './shape.ts'

const label = {
  name: text(z.string().default(''), 'The label of the field, of up to 40 characters.'),
  hint: text(z.string().default(''), 'A hint for people who fill in the field, of up to 80 characters.'),
  field_data: convertedJson(
    dictionary().default({}),
    'The options of a list of options, or the kind of an external account. Ignored for other types.',
  ),
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
  response: {
    custom_fields: field(
      z.array(profileField),
      'The custom profile fields of the organization, in their order.',
    ),
  },
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
    field_type: json(
      z.int(),
      'The type: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account.',
    ),
  },
  response: { id: field(profileFieldId, 'The id of the new field.') },
  errors: [...definitionErrors, 'FIELD_TYPE_INVALID', 'TOO_MANY_PROFILE_FIELDS'],
})

export const reorder = endpoint({
  summary: 'Reorder the custom profile fields.',
  method: 'PATCH',
  path: '/api/v1/realm/profile_fields',
  auth: 'user',
  only: ['administrators'],
  params: {
    order: json(maxItems(profileFieldId, 1_000), 'The ids of all custom profile fields, in the new order.'),
  },
  response: {},
  errors: ['FIELD_ORDER_INVALID'],
})

export const update = endpoint({
  summary: 'Change a custom profile field. Its type cannot be changed.',
  method: 'PATCH',
  path: '/api/v1/realm/profile_fields/{field_id}',
  auth: 'user',
  only: ['administrators'],
  params: { field_id: path(profileFieldId, 'The id of the custom profile field.'), ...label },
  response: {},
  errors: [...definitionErrors, 'FIELD_NOT_FOUND', 'FIELD_IS_BUILT_IN'],
})

export const remove = endpoint({
  summary: "Delete a custom profile field, with all users' values of it.",
  method: 'DELETE',
  path: '/api/v1/realm/profile_fields/{field_id}',
  auth: 'user',
  only: ['administrators'],
  params: { field_id: path(profileFieldId, 'The id of the custom profile field.') },
  response: {},
  errors: ['FIELD_NOT_FOUND'],
})
