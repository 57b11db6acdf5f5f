import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json } from '../kernel/params.ts'
import { stringMap } from '../kernel/schemas.ts'

const path = '/api/v1/bot_storage'

const keys = json(z.array(z.string()).optional())

export const read = endpoint({
  summary: 'What the account keeps in its storage.',
  method: 'GET',
  path,
  auth: 'user',
  params: { keys },
  response: { storage: z.record(z.string(), z.string()) },
  errors: ['STORAGE_KEY_UNKNOWN'],
})

export const write = endpoint({
  summary: "Keep texts in the account's storage.",
  description:
    'What has the same keys is replaced. Keys and values have a million characters at most, all together, unless the server is set up for another number.',
  method: 'PUT',
  path,
  auth: 'user',
  params: { storage: json(stringMap()) },
  response: {},
  errors: ['STORAGE_FULL'],
})

export const remove = endpoint({
  summary: "Remove texts from the account's storage.",
  method: 'DELETE',
  path,
  auth: 'user',
  params: { keys },
  response: {},
  errors: ['STORAGE_KEY_UNKNOWN'],
})
