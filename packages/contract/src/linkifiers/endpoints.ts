import { z } from 'zod'
import { linkifierId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { path, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { linkifiers, maxLinkifierPatternLength, maxLinkifierUrlLength } from './shape.ts'

const aboutLinkifierId = 'The id of the linkifier.'
const pattern = 'A regular expression with named groups, each after a fixed text, such as `#(?P<id>[0-9]+)`.'
const urlFormat =
  'The URL of the link, with the groups of the pattern, such as `https://bugs.example/%(id)s`.'

export const list = endpoint({
  summary: 'List the linkifiers of the organization.',
  method: 'GET',
  path: '/api/v1/realm/filters',
  auth: 'user',
  params: {},
  response: {
    filters: linkifiers,
  },
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
    linkifiers: field(
      z.array(
        object({
          id: field(linkifierId, aboutLinkifierId),
          pattern: field(z.string(), pattern),
          url_format: field(z.string(), urlFormat),
        }),
      ),
      'The linkifiers, in the order in which they are tried.',
    ),
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
    pattern: text(maxCharacters(maxLinkifierPatternLength), pattern),
    url_format_string: text(maxCharacters(maxLinkifierUrlLength), urlFormat),
  },
  response: { id: field(linkifierId, 'The id of the new linkifier.') },
  errors: ['LINKIFIER_INVALID', 'TOO_MANY_LINKIFIERS'],
})

export const remove = endpoint({
  summary: 'Remove a linkifier.',
  description: 'Links that the linkifier made stay in messages until these are edited.',
  method: 'DELETE',
  path: '/api/v1/realm/filters/{filter_id}',
  auth: 'user',
  only: ['administrators'],
  params: { filter_id: path(linkifierId, aboutLinkifierId) },
  response: {},
  errors: ['LINKIFIER_NOT_FOUND'],
})
