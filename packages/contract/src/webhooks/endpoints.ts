import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { messageId, userId, webhookFailureId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
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
  'NOT_ALLOWED_TO_POST',
  'CANNOT_START_TOPICS',
  'NOT_AUTHORIZED_TO_SEND',
  'PRIVATE_MESSAGES_DISABLED',
  'RECIPIENT_ID_INVALID',
  'RECIPIENT_DEACTIVATED',
] as const satisfies ErrorName[]

/** The action validates these values, so that it can record deliveries that it refuses. */
const anyText = (about: string) => text(z.string().optional(), about, { allowsNul: true })

export const deliver = endpoint({
  summary: 'Receive an event from another service and post it as messages.',
  description:
    'The page `/integrations` lists the services with setup instructions. The body is defined by the service and has up to 5 MiB. A delivery that is repeated within a day with the same delivery id posts nothing.',
  method: 'POST',
  path: '/api/v1/external/{integration}',
  auth: 'webhook',
  webhookBots: true,
  params: {
    integration: textPath(z.string(), 'The name of an integration, such as `helloworld`.'),
    api_key: anyText("The bot's API key, unless the integration uses HTTP Basic."),
    stream: anyText(
      "The name of a stream, or its id if no stream has that name. If absent, the message is sent to the bot's owner as a private message.",
    ),
    topic: anyText('The topic of the message. If absent, the integration chooses it.'),
    only_events: anyText(
      'A JSON list of names of events, with up to 10,000 characters in total. Other events post nothing. `*`, `?`, `[abc]` and `[!abc]` match parts of a name.',
    ),
    exclude_events: anyText(
      'A JSON list of names of events, written as in `only_events`. These events post nothing, even if `only_events` lists them.',
    ),
    webhook_secret: anyText('The secret that the service signs with, if the bot is not configured with one.'),
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

const integration = object({
  name: field(z.string(), 'The name of the integration, as in the path of its webhook.'),
  title: field(z.string(), 'The display name of the service.'),
  category: field(z.string(), 'The category of the service, to be shown to users.'),
  summary: field(z.string(), 'What the integration does, in one sentence.'),
  guide_html: field(
    z.string(),
    'How to set up the service, as HTML. The URL of the webhook is in `<span class="url">`.',
  ),
  auth: field(
    z.enum(['url', 'basic']),
    'Where the service puts the API key of the bot: `url` for the URL, `basic` for HTTP Basic.',
  ),
  url: field(
    z.string(),
    'The URL of the webhook, with `API_KEY` and `STREAM` in place of the key and the stream.',
  ),
  event_names: field(
    z.array(z.string()),
    'The names of events that `only_events` and `exclude_events` filter by. Empty if it has none.',
  ),
})

export const listIntegrations = endpoint({
  summary: 'List the services that can send messages, with setup instructions.',
  description: 'The pages at `/integrations` show the same.',
  method: 'GET',
  path: '/api/v1/integrations',
  auth: 'user',
  params: {},
  response: { integrations: field(z.array(integration), 'The integrations, ordered by title.') },
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
  params: {
    bot_id: path(userId, texts.botId),
    include_bodies: json(
      z.boolean().default(true),
      'Whether the bodies of the requests are listed. All of them together may have 25 MiB.',
    ),
  },
  response: { webhook_failures: field(z.array(webhookFailure), 'The refused deliveries, newest first.') },
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
  params: {
    bot_id: path(userId, texts.botId),
    failure_id: path(webhookFailureId, 'The id of the refused delivery.'),
  },
  response: {
    outcome: field(z.enum(['delivered', 'refused']), 'Whether the delivery was accepted or refused again.'),
    message_ids: field(
      z.array(messageId),
      'The ids of the messages that were sent. Empty if the event posts nothing.',
    ),
    code: field(z.string().optional(), 'The error code. Present only if the delivery was refused again.'),
    reason: field(
      z.string().optional(),
      'The error message. Present only if the delivery was refused again.',
    ),
  },
  errors: [
    ...accessErrors,
    'NO_SUCH_WEBHOOK_FAILURE',
    'WEBHOOK_FAILURE_INCOMPLETE',
    'WEBHOOK_FAILURE_UNSIGNED',
    'UNKNOWN_INTEGRATION',
  ],
})
