import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { integer, json, nonNegativeInteger, text } from '../kernel/params.ts'
import { listOf, maxCharacters, maxItems } from '../kernel/schemas.ts'
import { fetchOfMessages, messageFetch, messagePage } from '../messages/message-page.ts'
import { event } from './event.ts'
import { initialState } from './initial-state.ts'

const flag = json(z.boolean().optional())

/**
 * The options are stored with the queue, so their size is limited. There are far fewer than 200
 * event types.
 */
const types = maxItems(maxCharacters(100), 200)
const pairs = maxItems(listOf(maxCharacters(200), 2), 50)

/** No option has a default, so that the action can distinguish an absent option from one that is false. */
const queueOptions = {
  apply_markdown: flag,
  client_external_avatar: json(z.boolean().optional(), { legacyAlias: 'client_gravatar' }),
  slim_presence: flag,
  event_types: json(types.nullable().optional()),
  all_public_streams: flag,
  include_subscribers: flag,
  client_capabilities: json(
    z
      .object({
        notification_settings_null: z.boolean().optional(),
        bulk_message_deletion: z.boolean().optional(),
        user_avatar_url_field_optional: z.boolean().optional(),
        user_list_on_demand: z.boolean().optional(),
      })
      .optional(),
  ),
  fetch_event_types: json(types.nullable().optional()),
  narrow: json(pairs.optional()),
  queue_lifespan_secs: nonNegativeInteger(z.number().optional(), { alias: 'lifespan_secs' }),
}

export const register = endpoint({
  summary: 'Open an event queue and get the initial state.',
  description:
    'State and events match exactly: every change either is part of the state or arrives as an event, never both. The same is true for the messages of `fetch_messages`.',
  method: 'POST',
  path: '/api/v1/register',
  auth: 'user',
  idempotent: false,
  params: {
    ...queueOptions,
    fetch_messages: fetchOfMessages(
      messageFetch.optional(),
      'Messages to return together with the state, with the options of `GET /messages`. `apply_markdown` and `client_external_avatar` apply to them too.',
    ),
  },
  response: {
    queue_id: z.string(),
    last_event_id: z.int(),
    chat_version: z.string(),
    chat_feature_level: z.int(),
    server_version: z.string(),
    zulip_version: z.string().optional(),
    zulip_feature_level: z.int().optional(),
    zulip_plan_is_not_limited: z.boolean().optional(),
    ...initialState,
    fetched_messages: z.strictObject(messagePage).optional(),
    fetch_messages_error: z.strictObject({ name: z.string(), msg: z.string() }).optional(),
  },
  errors: ['NARROW_OPERATOR_NOT_SUPPORTED', 'BAD_NARROW', 'TOO_MANY_QUEUES'],
})

export const poll = endpoint({
  summary: 'Get the events of a queue. Waits for an event if there are none.',
  description:
    'A waiting request is answered with the first event, or with a heartbeat after 45 to 55 seconds. Without `queue_id`, the request opens a queue with the options of `register`, and the response contains its id. With `Accept: text/event-stream` the events are sent as server-sent events until the client disconnects; the header `Last-Event-ID` resumes such a stream.',
  method: 'GET',
  path: '/api/v1/events',
  auth: 'user',
  eventStream: true,
  params: {
    queue_id: text(z.string().optional()),
    last_event_id: integer(z.int().optional()),
    dont_block: json(z.boolean().default(false)),
    expected_user_id: integer(z.int().optional()),
    ...queueOptions,
  },
  response: {
    events: z.array(event),
    queue_id: z.string(),
    last_event_id: z.int().optional(),
  },
  errors: [
    'NARROW_OPERATOR_NOT_SUPPORTED',
    'BAD_NARROW',
    'TOO_MANY_QUEUES',
    'BAD_EVENT_QUEUE_ID',
    'NOT_YOUR_QUEUE_TO_READ',
    'EVENT_NOT_IN_QUEUE',
    'QUEUE_ID_MISSING',
  ],
})

export const deleteQueue = endpoint({
  summary: 'Close an event queue.',
  method: 'DELETE',
  path: '/api/v1/events',
  auth: 'user',
  params: { queue_id: text(z.string()) },
  response: {},
  errors: ['BAD_EVENT_QUEUE_ID', 'NOT_YOUR_QUEUE'],
})
