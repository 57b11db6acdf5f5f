import { z } from 'zod'
import { linkifierId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { path, text } from '../kernel/params.ts'
import { linkifiers } from '../shapes/linkifier.ts'

export const list = endpoint({
  summary: 'What becomes a link in texts and topics of this organization.',
  method: 'GET',
  path: '/api/v1/realm/filters',
  auth: 'user',
  params: {},
  response: { filters: linkifiers },
  errors: [],
})

export const listByName = endpoint({
  summary: 'What becomes a link in texts and topics of this organization, as objects.',
  description: 'Of a later level of the protocol; the same list as `GET /realm/filters`.',
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
  summary: 'Let texts that match a pattern become links.',
  description:
    'Messages that are sent or edited from then on have the links; topics have them at once. Patterns are matched in time that grows with the text alone, so looking around, back references and anchors are refused.',
  method: 'POST',
  path: '/api/v1/realm/filters',
  auth: 'user',
  only: ['administrators'],
  params: {
    pattern: text(z.string()),
    url_format_string: text(z.string()),
  },
  response: { id: linkifierId },
  errors: ['LINKIFIER_INVALID', 'TOO_MANY_LINKIFIERS'],
})

export const remove = endpoint({
  summary: 'Let texts that match a pattern stay texts.',
  description: 'Messages that have the links keep them until they are edited.',
  method: 'DELETE',
  path: '/api/v1/realm/filters/{filter_id}',
  auth: 'user',
  only: ['administrators'],
  params: { filter_id: path(linkifierId) },
  response: {},
  errors: ['LINKIFIER_NOT_FOUND'],
})
