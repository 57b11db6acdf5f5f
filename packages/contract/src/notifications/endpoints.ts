import { z } from 'zod'
import { messageId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { json, path } from '../kernel/params.ts'

const rule = z.string().regex(/^[SRPDT]\d{1,2}$/)

const channel = object({
  channel: field(
    z.enum(['screen', 'sound', 'push', 'mail']),
    'How the message could have notified the user.',
  ),
  outcome: field(
    z.enum(['told', 'not']),
    '`told` if the settings let the message notify. A client that is not open, or shows the conversation, still tells nothing.',
  ),
  rule: field(
    rule,
    'The rule that decided it, such as `R2` for a mention by name. The page about reaching people lists all rules.',
  ),
})

export const explain = endpoint({
  summary: 'Explain why a message notified a user, or why not.',
  description:
    'Administrators may ask about others, for messages that they may read themselves. This endpoint is not part of the protocol.',
  method: 'GET',
  path: '/api/v1/messages/{message_id}/notifications',
  auth: 'user',
  params: {
    message_id: path(messageId, texts.messageId),
    user_id: json(userId.optional(), 'The user; by default the caller.'),
  },
  response: {
    reasons: field(
      z.array(rule),
      'Why the message concerns the user, the most important reason first. Empty if it does not.',
    ),
    channels: field(z.array(channel), 'One entry for each way to notify.'),
    basis: field(
      z.literal('computed'),
      'The decision as it would be made now, with the settings and policies of now, for the moment at which the message was sent.',
    ),
  },
  errors: ['INVALID_MESSAGE', 'NO_SUCH_USER', 'INSUFFICIENT_PERMISSION'],
})
