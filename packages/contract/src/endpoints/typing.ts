import { z } from 'zod'
import { userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, text } from '../kernel/params.ts'

const declaration = {
  summary: 'Tell the others of a private conversation that one begins or ends to type.',
  description: 'Nothing of it is kept: clients forget by themselves that someone types.',
  method: 'POST',
  auth: 'user',
  idempotent: false,
  params: {
    op: text(z.string()),
    to: json(z.array(userId)),
  },
  response: {},
  errors: [
    'TYPING_TO_NOBODY',
    'TYPING_OPERATION_INVALID',
    'RECIPIENT_ID_INVALID',
    'MESSAGE_RECIPIENTS_TOO_MANY',
    'PRIVATE_MESSAGES_DISABLED',
  ],
} as const

export const tell = endpoint({ ...declaration, path: '/api/v1/set-typing-status' })

const idsOrAddresses = z.union(
  [z.array(z.union([userId, z.string()], { error: '{V} is not a string or integer' })), z.string()],
  { error: '{V} is not a list' },
)

/** The same at the path that clients in the field know. Some of them still send addresses there. */
export const tellShort = endpoint({
  ...declaration,
  path: '/api/v1/typing',
  params: {
    ...declaration.params,
    to: json(idsOrAddresses),
  },
  errors: [...declaration.errors, 'RECIPIENTS_MIXED', 'RECIPIENT_EMAIL_INVALID'],
})
