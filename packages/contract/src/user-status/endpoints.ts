import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { maxStatusTextLength } from './shape.ts'

export const set = endpoint({
  summary: 'Set the status of the account.',
  description: 'Absent parameters change nothing.',
  method: 'POST',
  path: '/api/v1/users/me/status',
  auth: 'user',
  only: ['people'],
  params: {
    away: json(z.boolean().optional()),
    status_text: text(maxCharacters(maxStatusTextLength).optional()),
  },
  response: {},
  errors: ['STATUS_NOT_GIVEN'],
})
