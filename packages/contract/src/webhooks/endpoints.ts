import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { messageId, userId, webhookFailureId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, path, text, textPath } from '../kernel/params.ts'
import { webhookFailure } from './shape.ts'

const deliveryErrors = [
  'FIELD_IS_NO_OBJECT',
  'PAYLOAD_TOO_COMPLEX',
  'ANOMALOUS_WEBHOOK_PAYLOAD',
  'MISSING_HTTP_EVENT_HEADER',
  'UNEXPECTED_WEBHOOK_EVENT_TYPE',
  'WEBHOOK_SECRET_MISSING',
  'WEBHOOK_SIGNATURE_WRONG',
  'WEBHOOK_CANNOT_BE_SIGNED',
  'EVENT_FILTER_INVALID',
  'BOT_WITHOUT_OWNER',
  'INVALID_STREAM_NAME',
  'STREAM_NAME_TOO_LONG',
  'STREAM_NAME_HAS_NUL',
  'STREAM_DOES_NOT_EXIST',
  'STREAM_ID_DOES_NOT_EXIST',
  'TOPIC_EMPTY',
  'MESSAGE_EMPTY',
  'MESSAGE_HAS_NUL',
  'CONTENT_TOO_LONG',
  'UNABLE_TO_RENDER',
  'ONLY_ADMINISTRATORS_POST',
  'NEW_MEMBERS_CANNOT_POST',
  'NOT_AUTHORIZED_TO_SEND',
  'PRIVATE_MESSAGES_DISABLED',
  'RECIPIENT_ID_INVALID',
  'RECIPIENT_DEACTIVATED',
] as const satisfies ErrorName[]

/** The action validates these values, so that it can record deliveries that it refuses. */
const anyText = text(z.string().optional(), { allowsNul: true })

export const deliver = endpoint({
  summary: 'Receive an event from another service and post it as messages.',
  description:
    'The page `/integrations` lists the services with setup instructions. The body is defined by the service and has up to 5 MiB. A delivery that is repeated within a day with the same delivery id posts nothing.',
  method: 'POST',
  path: '/api/v1/external/{integration}',
  auth: 'webhook',
  webhookBots: true,
  params: {
    integration: textPath(z.string()),
    api_key: anyText,
    stream: anyText,
    topic: anyText,
    only_events: anyText,
    exclude_events: anyText,
    webhook_secret: anyText,
  },
  response: {},
  isResponseOpen: true,
  errors: [
    ...deliveryErrors,
    'UNKNOWN_INTEGRATION',
    'METHOD_NOT_ALLOWED',
    'BAD_REQUEST',
    'ARGUMENT_NOT_JSON',
    'REQUEST_VARIABLE_INVALID',
  ],
})

const integration = z.strictObject({
  name: z.string(),
  title: z.string(),
  category: z.string(),
  summary: z.string(),
  guide_html: z.string(),
  auth: z.enum(['url', 'basic']),
  url: z.string(),
  event_names: z.array(z.string()),
})

export const listIntegrations = endpoint({
  summary: 'List the services that can send messages, with setup instructions.',
  description: 'The pages at `/integrations` show the same.',
  method: 'GET',
  path: '/api/v1/integrations',
  auth: 'user',
  params: {},
  response: { integrations: z.array(integration) },
  errors: [],
})

const accessErrors = ['NO_SUCH_BOT', 'INSUFFICIENT_PERMISSION'] as const satisfies ErrorName[]

export const listFailures = endpoint({
  summary: 'List the refused deliveries to a bot, newest first.',
  description:
    "Only the bot's owner and administrators may do this. The newest 100 deliveries are kept for 14 days. Keys, secrets and signatures are not recorded.",
  method: 'GET',
  path: '/api/v1/bots/{bot_id}/webhook_failures',
  auth: 'user',
  only: ['people'],
  params: { bot_id: path(userId), include_bodies: json(z.boolean().default(true)) },
  response: { webhook_failures: z.array(webhookFailure) },
  errors: [...accessErrors],
})

export const replayFailure = endpoint({
  summary: 'Replay a refused delivery.',
  description:
    'The delivery is processed as if the service had sent it again. Only the person who owned the bot when it was refused, and still owns it, may replay it. If it succeeds, its record is deleted; if it is refused again, the record gets the new reason.',
  method: 'POST',
  path: '/api/v1/bots/{bot_id}/webhook_failures/{failure_id}/replay',
  auth: 'user',
  only: ['people'],
  idempotent: false,
  params: { bot_id: path(userId), failure_id: path(webhookFailureId) },
  response: {
    outcome: z.enum(['delivered', 'refused']),
    message_ids: z.array(messageId),
    code: z.string().optional(),
    reason: z.string().optional(),
  },
  errors: [
    ...accessErrors,
    'NO_SUCH_WEBHOOK_FAILURE',
    'WEBHOOK_FAILURE_INCOMPLETE',
    'WEBHOOK_FAILURE_UNSIGNED',
    'UNKNOWN_INTEGRATION',
  ],
})
