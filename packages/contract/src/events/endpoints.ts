import { z } from 'zod'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, lenientObject, object } from '../kernel/field.ts'
import { integer, json, nonNegativeInteger, text } from '../kernel/params.ts'
import { listOf, maxCharacters, maxItems } from '../kernel/schemas.ts'
import { fetchOfMessages, messageFetch, messagePage } from '../messages/message-page.ts'
import { event } from './event.ts'
import { initialState } from './initial-state.ts'

const flag = (about: string) => json(z.boolean().optional(), about)

/**
 * The options are stored with the queue, so their size is limited. There are far fewer than 200
 * event types.
 */
const types = maxItems(maxCharacters(100), 200)
const pairs = maxItems(listOf(maxCharacters(200), 2), 50)

/** No option has a default, so that the action can distinguish an absent option from one that is false. */
const queueOptions = {
  apply_markdown: flag(texts.applyMarkdown),
  client_external_avatar: json(z.boolean().optional(), texts.clientExternalAvatar, {
    legacyAlias: 'client_gravatar',
  }),
  slim_presence: flag('Whether presence is returned by user id, in a compact form.'),
  event_types: json(
    types.nullable().optional(),
    'The types of events that the queue receives. All types if null or absent.',
  ),
  all_public_streams: flag(
    'Whether the queue also receives messages of public streams that the account is not subscribed to.',
  ),
  include_subscribers: flag('Whether streams are returned with the ids of their subscribers.'),
  client_capabilities: json(
    lenientObject({
      notification_settings_null: field(
        z.boolean().optional(),
        'The client understands null in notification settings of streams. Otherwise they are always booleans.',
      ),
      bulk_message_deletion: field(
        z.boolean().optional(),
        'The client understands `delete_message` events for several messages at once.',
      ),
      user_avatar_url_field_optional: field(
        z.boolean().optional(),
        'The client does not need `avatar_url` of every user.',
      ),
      user_list_on_demand: field(
        z.boolean().optional(),
        'The client does not need a list of users: `realm_users` contains only this account, `realm_non_active_users` is empty, and presence is in the compact form of `slim_presence`. Events are still sent for all users.',
      ),
    }).optional(),
    'The capabilities of the client. Capabilities that are not listed are false.',
  ),
  fetch_event_types: json(
    types.nullable().optional(),
    'The parts of the state to return. If null or absent, the parts for `event_types`; if that is absent too, all parts.',
  ),
  narrow: json(
    pairs.optional(),
    'Pairs of operator and operand, like `["stream", "garden"]`. The queue receives only messages that match all of them.',
  ),
  queue_lifespan_secs: nonNegativeInteger(
    z.number().optional(),
    'For how many seconds the queue is kept while it is not polled. Ten minutes if 0 or absent.',
    { alias: 'lifespan_secs' },
  ),
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
    queue_id: field(z.string(), 'The id of the new event queue.'),
    last_event_id: field(z.int(), 'The id to poll from. The state includes all events up to it.'),
    chat_version: field(z.string(), texts.chatVersion),
    chat_feature_level: field(z.int(), texts.chatFeatureLevel),
    server_version: field(z.string(), texts.serverVersion),
    zulip_version: field(z.string().optional(), texts.zulipVersion),
    zulip_feature_level: field(z.int().optional(), texts.zulipFeatureLevel),
    zulip_plan_is_not_limited: field(
      z.boolean().optional(),
      'The same as `chat_plan_is_not_limited`, under an older name. Absent for clients known not to need it.',
    ),
    ...initialState,
    fetched_messages: field(
      object(messagePage).optional(),
      'The messages that `fetch_messages` requested, consistent with the state: every message that matches the narrow is in this list, is outside its range, or arrives as an event. Absent if they were not requested or could not be read.',
    ),
    fetch_messages_error: field(
      object({
        name: field(z.string(), 'The name of the error, as in errors of requests with a session.'),
        msg: field(z.string(), 'A description of the error, to be shown to users.'),
      }).optional(),
      'The error that `GET /messages` would return for `fetch_messages`. The queue and the state are valid. Absent if there was no error.',
    ),
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
    queue_id: text(
      z.string().optional(),
      `${texts.queueId} If absent, this call opens a queue with the options below.`,
    ),
    last_event_id: integer(
      z.int().optional(),
      'The highest event id that the client received. Events up to it are discarded.',
    ),
    dont_block: json(
      z.boolean().default(false),
      'Whether to respond immediately, even if there are no events.',
    ),
    expected_user_id: integer(
      z.int().optional(),
      'With a session, the account that it must belong to, like the header `Expected-User-Id`, which an `EventSource` cannot send. The session of another account is refused with `OTHER_ACCOUNT`.',
    ),
    ...queueOptions,
  },
  response: {
    events: field(z.array(event), 'The events after `last_event_id`, ordered by id.'),
    queue_id: field(z.string(), texts.queueId),
    last_event_id: field(
      z.int().optional(),
      'The id to poll from. Present only if this call opened the queue.',
    ),
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
  params: { queue_id: text(z.string(), texts.queueId) },
  response: {},
  errors: ['BAD_EVENT_QUEUE_ID', 'NOT_YOUR_QUEUE'],
})
