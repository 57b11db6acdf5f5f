import { z } from 'zod'
import { userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, text } from '../kernel/params.ts'
import { aboutTypingOperation } from './events.ts'

const declaration = {
  summary: 'Notify the other people in a private conversation that the user started or stopped typing.',
  description: 'The server does not store the state. Receiving clients let it expire.',
  method: 'POST',
  auth: 'user',
  idempotent: false,
  params: {
    op: text(z.string(), aboutTypingOperation),
    to: json(z.array(userId), 'The ids of the users in the conversation.'),
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

/**
 * Serves `tell` at the path that existing clients use. Some of them send addresses instead of ids.
 */
export const tellShort = endpoint({
  ...declaration,
  path: '/api/v1/typing',
  params: {
    ...declaration.params,
    to: json(
      idsOrAddresses,
      'The ids or the addresses of the users in the conversation. A text is a single address.',
    ),
  },
  errors: [...declaration.errors, 'RECIPIENTS_MIXED', 'RECIPIENT_EMAIL_INVALID'],
})
