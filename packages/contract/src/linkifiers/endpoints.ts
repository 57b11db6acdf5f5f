import { z } from 'zod'
import { linkifierId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { path, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { linkifiers, maxLinkifierPatternLength, maxLinkifierUrlLength } from './shape.ts'

export const list = endpoint({
  summary: 'List the linkifiers of the organization.',
  method: 'GET',
  path: '/api/v1/realm/filters',
  auth: 'user',
  params: {},
  response: { filters: linkifiers },
  errors: [],
})

export const listByName = endpoint({
  summary: 'List the linkifiers of the organization as objects.',
  description:
    'This endpoint is from a later feature level. The list is the same as that of `GET /realm/filters`.',
  method: 'GET',
  path: '/api/v1/realm/linkifiers',
  auth: 'user',
  params: {},
  response: {
    linkifiers: z.array(z.strictObject({ id: linkifierId, pattern: z.string(), url_format: z.string() })),
  },
  errors: [],
})

export const add = endpoint({
  summary: 'Add a linkifier, which turns text that matches a pattern into links.',
  description:
    'The linkifier applies to messages that are sent or edited afterwards, and to all topics at once. Patterns are matched in linear time, so look-around, back references and anchors are refused.',
  method: 'POST',
  path: '/api/v1/realm/filters',
  auth: 'user',
  only: ['administrators'],
  params: {
    pattern: text(maxCharacters(maxLinkifierPatternLength)),
    url_format_string: text(maxCharacters(maxLinkifierUrlLength)),
  },
  response: { id: linkifierId },
  errors: ['LINKIFIER_INVALID', 'TOO_MANY_LINKIFIERS'],
})

export const remove = endpoint({
  summary: 'Remove a linkifier.',
  description: 'Links that the linkifier made stay in messages until these are edited.',
  method: 'DELETE',
  path: '/api/v1/realm/filters/{filter_id}',
  auth: 'user',
  only: ['administrators'],
  params: { filter_id: path(linkifierId) },
  response: {},
  errors: ['LINKIFIER_NOT_FOUND'],
})
