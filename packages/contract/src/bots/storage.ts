import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json } from '../kernel/params.ts'
import { maxKeys, stringMap } from '../kernel/schemas.ts'

const aboutKeys = 'The keys to read or delete. All keys if the list is empty or absent.'

const path = '/api/v1/bot_storage'

/** Each entry is a row that PostgreSQL writes. */
const maxEntriesPerRequest = 10_000

const keys = json(z.array(z.string()).optional(), aboutKeys)

export const read = endpoint({
  summary: "Read the account's key-value storage.",
  method: 'GET',
  path,
  auth: 'user',
  params: { keys },
  response: { storage: field(z.record(z.string(), z.string()), 'The stored texts, by their keys.') },
  errors: ['STORAGE_KEY_UNKNOWN'],
})

export const write = endpoint({
  summary: "Store texts in the account's key-value storage.",
  description:
    'Existing keys are replaced. A request has at most 10,000 keys. All keys and values together have at most a million characters, unless the server is configured with another limit.',
  method: 'PUT',
  path,
  auth: 'user',
  params: {
    storage: json(
      stringMap(maxKeys(maxEntriesPerRequest)),
      'The texts to store, by their keys. Existing keys are replaced.',
    ),
  },
  response: {},
  errors: ['STORAGE_FULL'],
})

export const remove = endpoint({
  summary: "Delete texts from the account's key-value storage.",
  method: 'DELETE',
  path,
  auth: 'user',
  params: { keys },
  response: {},
  errors: ['STORAGE_KEY_UNKNOWN'],
})
