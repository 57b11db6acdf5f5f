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
    away: json(z.boolean().optional(), 'Whether to mark the account as unavailable. Unchanged if absent.'),
    status_text: text(
      maxCharacters(maxStatusTextLength).optional(),
      `The status text, of up to ${maxStatusTextLength} characters. Empty to clear it, unchanged if absent.`,
    ),
  },
  response: {},
  errors: ['STATUS_NOT_GIVEN'],
})
