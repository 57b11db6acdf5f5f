import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { maxStatusText } from '../shapes/user-status.ts'

export const set = endpoint({
  summary: 'Say something of oneself for now.',
  description: 'What is not given stays as it is.',
  method: 'POST',
  path: '/api/v1/users/me/status',
  auth: 'user',
  only: ['people'],
  params: {
    away: json(z.boolean().optional()),
    status_text: text(maxCharacters(maxStatusText).optional()),
  },
  response: {},
  errors: ['STATUS_NOT_GIVEN'],
})
