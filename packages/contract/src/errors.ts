import { z } from 'zod'

/**
 * An error that callers can get. Its key in `errors` is the name by which code raises it; `code` is
 * its code on the wire. Most errors have the code BAD_REQUEST and differ only in their text. `{x}`
 * in a text is replaced by the error's data, and `fields` are sent beside `msg`.
 */
export interface ErrorDeclaration {
  readonly status: number
  readonly code: string
  readonly msg: string
  readonly fields?: Readonly<Record<string, z.ZodType>>
  /** Sent as one paragraph of HTML, unless the client asks for JSON. */
  readonly asHtml?: true
}

const refusal = <Text extends string>(msg: Text) => ({ status: 400, code: 'BAD_REQUEST', msg }) as const
const denial = <Text extends string>(msg: Text) =>
  ({ status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg }) as const
const unauthorized = <Text extends string, Code extends string>(msg: Text, code: Code) =>
  ({ status: 401, code, msg }) as const
const loginFailure = <Text extends string, Code extends string>(msg: Text, code: Code) =>
  ({ status: 403, code, msg, fields: { reason: z.string() } }) as const
/** Addresses that were not invited, each with a reason and whether a deactivated account has it. */
const invitationErrors = z.array(z.tuple([z.string(), z.string(), z.boolean()]))
const invitationFailure = <Text extends string>(msg: Text) =>
  ({
    status: 400,
    code: 'INVITATION_FAILED',
    msg,
    fields: { errors: invitationErrors, sent_invitations: z.boolean() },
  }) as const

export const errors = {
  // Transport
  NOT_FOUND: { status: 404, code: 'NOT_FOUND', msg: 'There is nothing at this path' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    msg: 'Method Not Allowed',
    fields: { allowed_methods: z.array(z.string()) },
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    code: 'REQUEST_TOO_LARGE',
    msg: 'The request is larger than {limit} bytes',
  },
  FORM_TOO_LARGE: { status: 413, code: 'REQUEST_TOO_LARGE', msg: 'The form has more than {limit} fields' },
  HEADERS_TOO_LARGE: { status: 431, code: 'REQUEST_TOO_LARGE', msg: 'The URL or the headers are too long' },
  REQUEST_TOO_SLOW: { status: 408, code: 'BAD_REQUEST', msg: 'The request took too long to arrive' },
  UNREADABLE_REQUEST: { status: 400, code: 'BAD_REQUEST', msg: 'This is not a readable HTTP request' },
  RATE_LIMIT_HIT: {
    status: 429,
    code: 'RATE_LIMIT_HIT',
    msg: 'API usage exceeded rate limit',
    fields: { 'retry-after': z.number() },
  },
  TOO_MANY_CONNECTIONS: {
    status: 429,
    code: 'TOO_MANY_CONNECTIONS',
    msg: 'This account has {limit} requests under way already; wait for one to end',
    fields: { 'retry-after': z.number() },
  },
  INTERNAL_ERROR: { status: 500, code: 'INTERNAL_ERROR', msg: 'Internal server error' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    msg: 'The server cannot do this right now; try again in a few seconds',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    msg: 'The server cannot store files right now; try again later',
  },
  SERVER_STOPPING: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    msg: 'The server is shutting down; try again in a few seconds',
  },

  // Decoding
  BAD_REQUEST: refusal('{text}'),
  INVALID_JSON: { status: 400, code: 'INVALID_JSON', msg: 'Malformed JSON' },
  MALFORMED_FORM: refusal('Malformed multipart form'),
  FILE_TOO_LARGE: refusal('Uploaded file is larger than the allowed limit of {limit} MiB'),
  ARGUMENT_NOT_JSON: refusal('Argument "{name}" is not valid JSON.'),
  ARGUMENT_HAS_NUL: refusal('Argument "{name}" contains a NUL character.'),
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    code: 'REQUEST_VARIABLE_MISSING',
    msg: "Missing '{var_name}' argument",
    fields: { var_name: z.string() },
  },
  REQUEST_VARIABLE_INVALID: {
    status: 400,
    code: 'REQUEST_VARIABLE_INVALID',
    msg: "Bad value for '{var_name}': {bad_value}",
    fields: { var_name: z.string(), bad_value: z.string() },
  },
  REQUEST_CONFUSING_VAR: {
    status: 400,
    code: 'REQUEST_CONFUSING_VAR',
    msg: "Can't decide between '{var_name1}' and '{var_name2}' arguments",
    fields: { var_name1: z.string(), var_name2: z.string() },
  },

  // Credentials
  CROSS_ORIGIN: {
    status: 403,
    code: 'CROSS_ORIGIN',
    msg: 'This request was not made by a page of this organization',
  },
  OTHER_ACCOUNT: {
    status: 403,
    code: 'OTHER_ACCOUNT',
    msg: 'Another account is signed in in this browser',
  },
  NOT_LOGGED_IN: unauthorized(
    'Not logged in: API authentication or user session required',
    'INVALID_API_KEY',
  ),
  NOT_BASIC_AUTHENTICATION: refusal('This endpoint requires HTTP basic authentication.'),
  INVALID_AUTHORIZATION_HEADER: unauthorized(
    'Invalid authorization header for basic auth',
    'INVALID_API_KEY',
  ),
  MALFORMED_API_KEY: unauthorized('Malformed API key', 'INVALID_API_KEY'),
  INVALID_API_KEY: unauthorized('Invalid API key', 'INVALID_API_KEY'),
  ORGANIZATION_DEACTIVATED: unauthorized('This organization has been deactivated', 'REALM_DEACTIVATED'),
  ACCOUNT_DEACTIVATED: unauthorized('Account is deactivated', 'USER_DEACTIVATED'),
  WRONG_SUBDOMAIN: unauthorized('Account is not associated with this subdomain', 'INVALID_SUBDOMAIN'),
  CLOSED_TO_WEBHOOK_BOTS: unauthorized('This API is not available to incoming webhook bots.', 'UNAUTHORIZED'),

  // Restrictions on callers
  MUST_BE_ADMINISTRATOR: denial('Must be an organization administrator'),
  MUST_BE_OWNER: denial('Must be an organization owner'),
  NOT_FOR_GUESTS: refusal('Not allowed for guest users'),
  NOT_FOR_BOTS: refusal('This endpoint does not accept bot requests.'),
  INSUFFICIENT_PERMISSION: refusal('Insufficient permission'),

  // Organizations
  INVALID_SUBDOMAIN: refusal('Invalid subdomain'),
  ORGANIZATION_NAME_TOO_LONG: refusal('Organization name is too long.'),
  ORGANIZATION_DESCRIPTION_TOO_LONG: refusal('Organization description is too long.'),
  LANGUAGE_INVALID: refusal("Invalid language '{language}'"),
  NO_AUTHENTICATION_METHOD: refusal('At least one authentication method must be enabled.'),
  VIDEO_CHAT_PROVIDER_INVALID: refusal('Invalid video_chat_provider {provider}'),

  // Signing in
  INVALID_EMAIL_FORMAT: refusal('Enter a valid email address.'),
  LOGIN_ACCOUNT_DEACTIVATED: loginFailure('Your account has been disabled.', 'USER_DEACTIVATED'),
  LOGIN_ORGANIZATION_DEACTIVATED: loginFailure(
    'This organization has been deactivated.',
    'REALM_DEACTIVATED',
  ),
  LOGIN_PASSWORD_DISABLED: loginFailure('Password auth is disabled in your team.', 'PASSWORD_AUTH_DISABLED'),
  LOGIN_INCORRECT: loginFailure('Your username or password is incorrect.', 'AUTHENTICATION_FAILED'),
  LOGIN_NOT_REGISTERED: loginFailure('This user is not registered.', 'AUTHENTICATION_FAILED'),
  NO_SUCH_SESSION: refusal('No such session'),
  NO_CURRENT_SESSION: refusal('This request was not made with a session'),
  NOT_A_DEVELOPMENT_SERVER: refusal('Dev environment not enabled.'),
  GOOGLE_CLIENT_ID_MISSING: {
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'This server does not offer signing in with Google.',
    fields: { google_client_id: z.string() },
  },

  // Users
  NO_SUCH_USER: refusal('No such user'),
  INVALID_USER_ID: refusal('Invalid user ID: {id}'),
  USER_IS_DEACTIVATED: refusal('User is deactivated'),
  GUEST_CANNOT_ADMINISTER: refusal('Guests cannot be organization administrators'),
  LAST_OWNER_ROLE: refusal('The owner permission cannot be removed from the only organization owner.'),
  LAST_OWNER_ERASURE: refusal('Cannot erase the only organization owner'),
  USER_IS_ERASED: refusal('The data of this user was erased; the account cannot be used again'),
  LAST_OWNER_DEACTIVATION: refusal('Cannot deactivate the only organization owner'),
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    msg: 'Cannot deactivate the only {entity}.',
    fields: { is_last_owner: z.boolean(), entity: z.string() },
  },
  NAME_TOO_LONG: refusal('Name too long!'),
  NAME_TOO_SHORT: refusal('Name too short!'),
  NAME_INVALID_CHARACTERS: refusal('Invalid characters in name!'),
  NAME_INVALID_FORMAT: refusal('Invalid format!'),
  NAME_IN_USE: refusal('Name is already in use!'),
  BAD_EMAIL: refusal('Bad name or username'),
  EMAIL_NOT_ALLOWED: refusal("Email '{email}' not allowed in this organization"),
  EMAIL_DISPOSABLE: refusal('Disposable email addresses are not allowed in this organization'),
  EMAIL_WITH_PLUS: refusal('Email addresses containing + are not allowed.'),
  EMAIL_IN_USE: refusal("Email '{email}' already in use"),
  PASSWORD_TOO_WEAK: refusal('The password is too weak.'),
  PASSWORD_NOT_ADMINISTERED: refusal(
    "Administrators cannot set another person's password. The person can change it in their settings; the operator of the server can set it with `oxbow user set-password`.",
  ),

  // Invitations
  INVITED_ROLE_INVALID: refusal('Must be invited as an valid type of user'),
  NOT_AN_ADMINISTRATOR: refusal('Must be an organization administrator'),
  NO_ADDRESS_TO_INVITE: refusal('You must specify at least one email address.'),
  NO_STREAM_TO_JOIN: refusal('You must specify at least one stream for invitees to join.'),
  STREAM_TO_JOIN_NOT_FOUND: refusal('Stream does not exist with id: {id}. No invites were sent.'),
  STREAM_OF_LINK_NOT_FOUND: refusal('Invalid stream id {id}. No invites were sent.'),
  NO_SUCH_INVITATION: refusal('No such invitation'),
  INVITATION_RESENT_TOO_OFTEN: refusal(
    'This invitation was sent again {limit} times in the last 24 hours; try again tomorrow',
  ),
  INVITES_USED_UP: invitationFailure(
    'You do not have enough remaining invites. Please contact {admin} to have your limit raised. No invitations were sent.',
  ),
  TOO_NEW_TO_INVITE: invitationFailure(
    'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
  ),
  ADDRESSES_NOT_VALID: invitationFailure("Some emails did not validate, so we didn't send any invitations."),
  NOBODY_INVITED: invitationFailure("We weren't able to invite anyone."),
  SOME_NOT_INVITED: invitationFailure(
    "Some of those addresses are already using Oxbow, so we didn't send them an invitation. We did send invitations to everyone else!",
  ),

  // Bots
  NO_SUCH_BOT: refusal('No such bot'),
  USERNAME_IN_USE: refusal('Username already in use'),
  BOT_DOMAIN_INVALID: refusal(
    "Can't create bots until OXBOW_HIDDEN_EMAIL_DOMAIN is correctly configured.\nPlease contact your server administrator.",
  ),
  EMBEDDED_BOTS_DISABLED: refusal('Embedded bots are not enabled.'),
  BOT_TYPE_INVALID: refusal('Invalid bot type'),
  BOT_INTERFACE_INVALID: refusal('Invalid interface type'),
  INTEGRATION_UNKNOWN: refusal("Invalid integration '{name}'."),
  BOT_CONFIG_MISSING: refusal('Missing configuration parameters: {names}'),
  BOT_CONFIG_VALUE_INVALID: refusal('Invalid {key} value {value} ({problem})'),
  BOT_CONFIG_INVALID: refusal('Invalid configuration data!'),
  BOT_CONFIG_TOO_LONG: refusal('config_data is too long (limit: {limit} characters)'),
  BOT_WITHOUT_CONFIG: refusal('Bots of this type have no configuration'),
  BOT_WITHOUT_PAYLOAD_URL: refusal('Only outgoing webhooks have a payload URL'),
  NEW_BOT_OWNER_UNKNOWN: refusal('Failed to change owner, no such user'),
  NEW_BOT_OWNER_DEACTIVATED: refusal('Failed to change owner, user is deactivated'),
  NEW_BOT_OWNER_IS_GUEST: refusal("Failed to change owner, guests can't own bots"),
  BOT_OWNER_DEACTIVATED: refusal(
    'The owner of this bot is deactivated. Give the bot to another owner before you reactivate it.',
  ),
  GUESTS_NEED_HIDDEN_ADDRESSES: refusal(
    'Guests can be limited to the people they share streams with only while e-mail addresses are not shown to everyone.',
  ),
  BOT_ROLE_ABOVE_OWNER: refusal('The role of a bot cannot be above the role of its owner'),
  NEW_BOT_OWNER_IS_BOT: refusal("Failed to change owner, bots can't own other bots"),
  TOO_MANY_BOTS: refusal('Too many bots of one owner, deactivated ones included (limit: {limit})'),
  STORAGE_FULL: refusal(
    'Request exceeds storage limit by {excess} characters. The limit is {limit} characters.',
  ),
  STORAGE_KEY_UNKNOWN: refusal('Key does not exist.'),

  // Own account
  NOTHING_TO_CHANGE: refusal('Please fill out all fields.'),
  WRONG_PASSWORD: refusal('Wrong password!'),
  TOO_MANY_PASSWORD_ATTEMPTS: refusal("You're making too many attempts! Try again in {seconds} seconds."),
  NEW_PASSWORD_TOO_WEAK: refusal('New password is too weak!'),
  EMAIL_CHANGES_DISABLED: refusal('Email address changes are disabled in this organization.'),
  NEW_EMAIL_INVALID: refusal('Invalid address.'),
  NEW_EMAIL_OUTSIDE_DOMAIN: refusal('Outside your domain.'),
  NEW_EMAIL_DISPOSABLE: refusal('Please use your real email address.'),
  NEW_EMAIL_HAS_ACCOUNT: refusal('Already has an account.'),
  NEW_EMAIL_DEACTIVATED: refusal('Account has been deactivated.'),
  TIMEZONE_INVALID: refusal('Invalid timezone'),
  NOTIFICATION_SOUND_INVALID: refusal("Invalid notification sound '{sound}'"),
  HOTSPOT_UNKNOWN: refusal('Unknown hotspot: {hotspot}'),
  TOO_MANY_ALERT_WORDS: refusal('Too many alert words (limit: {limit})'),
  STATUS_NOT_GIVEN: refusal('Client did not pass any new values.'),
  DEVICE_TOKEN_LENGTH: refusal('Empty or invalid length token'),
  APPLE_TOKEN_INVALID: refusal('Invalid APNS token'),
  DEVICE_TOKEN_UNKNOWN: refusal('Token does not exist'),
  AVATAR_COUNT: refusal('You must upload exactly one avatar.'),
  AVATAR_CHANGES_DISABLED: refusal('Avatar changes are disabled in this organization.'),
  MAIL_NEEDS_EXTERNAL_URL: refusal(
    'This server cannot send e-mail yet; ask its administrator to set OXBOW_EXTERNAL_URL.',
  ),
  MAIL_NOT_CONFIGURED: refusal(
    'This server cannot send e-mail yet; ask its administrator to set OXBOW_SMTP_URL.',
  ),

  // Pictures
  BAD_IMAGE: {
    status: 400,
    code: 'BAD_IMAGE',
    msg: 'Could not decode image; did you upload an image file?',
  },
  IMAGE_TOO_LARGE: { status: 400, code: 'BAD_IMAGE', msg: 'Image size exceeds limit.' },
  ICON_COUNT: refusal('You must upload exactly one icon.'),
  LOGO_COUNT: refusal('You must upload exactly one logo.'),
  ONE_FILE_EXPECTED: refusal('You must upload exactly one file.'),
  IMAGE_UPLOAD_FAILED: refusal('Image file upload failed.'),

  // Uploads
  NO_FILE: refusal('You must specify a file to upload'),
  ONE_FILE_AT_A_TIME: refusal('You may only upload one file at a time'),
  UPLOAD_QUOTA_EXCEEDED: {
    status: 400,
    code: 'REALM_UPLOAD_QUOTA',
    msg: "Upload would exceed your organization's upload quota.",
  },
  UPLOAD_NOT_FOUND: { status: 404, code: 'NOT_FOUND', msg: 'File not found.', asHtml: true },
  UPLOAD_FORBIDDEN: {
    status: 403,
    code: 'UNAUTHORIZED',
    msg: 'You are not authorized to view this file.',
    asHtml: true,
  },
  TEMPORARY_LINK_INVALID: refusal('Invalid token'),
  TEMPORARY_LINK_RENAMED: refusal('Invalid filename'),
  INVALID_ATTACHMENT: refusal('Invalid attachment'),

  // Event queues
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    code: 'BAD_EVENT_QUEUE_ID',
    msg: 'Bad event queue id: {queue_id}',
    fields: { queue_id: z.string() },
  },
  TOO_MANY_QUEUES: refusal('Could not allocate event queue'),
  NOT_YOUR_QUEUE_TO_READ: refusal('You are not authorized to get events from this queue'),
  NOT_YOUR_QUEUE: refusal('You are not authorized to access this queue'),
  EVENT_NOT_IN_QUEUE: refusal('Event {id} was not in this queue'),
  QUEUE_ID_MISSING: refusal("Missing 'queue_id' argument"),
  NARROW_OPERATOR_NOT_SUPPORTED: refusal('Operator {operator} not supported.'),

  // Idempotency keys
  IDEMPOTENCY_KEY_INVALID: refusal('An Idempotency-Key has 1 to 255 visible ASCII characters'),
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    msg: 'This Idempotency-Key was used for another request',
  },

  // Streams
  INVALID_STREAM_ID: refusal('Invalid stream id'),
  INVALID_STREAM_NAME: refusal("Invalid stream name '{name}'"),
  STREAM_NAME_TOO_LONG: refusal('Stream name too long (limit: 60 characters).'),
  STREAM_NAME_HAS_NUL: refusal("Stream name '{name}' contains NULL (0x00) characters."),
  STREAM_NAME_TAKEN: refusal("Stream name '{name}' is already taken."),
  STREAM_HAS_THAT_NAME: refusal('Stream already has that name!'),
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream '{stream}' does not exist",
    fields: { stream: z.string() },
  },
  CANNOT_CREATE_STREAMS: refusal('User cannot create streams.'),
  CANNOT_CHOOSE_RETENTION: refusal('User cannot create stream with this settings.'),
  PLAN_TOO_SMALL: refusal('The plan of this organization does not include this.'),
  NOT_AUTHORIZED_FOR_QUERY: refusal('User not authorized for this query'),
  ONLY_ADMINISTRATORS_POST: refusal('Only organization administrators can send to this stream.'),
  NEW_MEMBERS_CANNOT_POST: refusal('New members cannot send to this stream.'),
  NOT_ALLOWED_TO_POST: refusal('Only some people may send to this stream.'),
  CANNOT_START_TOPICS: refusal('You may not start topics in this stream. Choose a topic that exists.'),
  NOT_AUTHORIZED_TO_SEND: refusal("Not authorized to send to stream '{name}'"),

  // Subscriptions
  STREAM_NOT_ACCESSIBLE: refusal('Unable to access stream ({name}).'),
  ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS: refusal("Only administrators can modify other users' subscriptions."),
  TOO_NEW_TO_SUBSCRIBE_OTHERS: refusal("Your account is too new to modify other users' subscriptions."),
  NEEDS_ADMINISTRATIVE_RIGHTS: refusal('This action requires administrative rights'),
  PRINCIPAL_NOT_FOUND: {
    status: 403,
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: "User not authorized to execute queries on behalf of '{principal}'",
    fields: { principal: z.union([z.string(), z.int()]) },
  },
  TOO_MANY_STREAMS: refusal('Too many streams in this organization (limit: {limit})'),
  DESCRIPTIONS_TOO_LONG: refusal(
    'The descriptions of all streams in this organization are too long together (limit: {limit} MiB with their formatting). Shorten or omit some.',
  ),
  TOO_MANY_NEW_STREAMS: refusal(
    'A request can create at most {limit} streams. Create the others with further requests.',
  ),
  TOO_MANY_SUBSCRIPTIONS: refusal(
    'A request can change at most {limit} subscriptions: users × streams. Divide it into several requests.',
  ),
  NOTHING_TO_ADD_OR_DELETE: refusal('Nothing to do. Specify at least one of "add" or "delete".'),
  UNKNOWN_SUBSCRIPTION_PROPERTY: refusal('Unknown subscription property: {property}'),
  NOT_SUBSCRIBED: refusal('Not subscribed to stream id {id}'),

  // Muted topics
  STREAM_NOT_NAMED: refusal("Please supply 'stream'."),
  STREAM_NAMED_TWICE: refusal("Please choose one: 'stream' or 'stream_id'."),
  TOPIC_ALREADY_MUTED: refusal('Topic already muted'),
  TOPIC_NOT_MUTED: refusal('Topic is not muted'),
  TOO_MANY_MUTED_TOPICS: refusal('Too many muted topics (limit: {limit})'),
  TOO_MANY_TOPICS_ATTENDED: refusal('Too many followed and unmuted topics (limit: {limit})'),

  // Muted users
  CANNOT_MUTE_SELF: refusal('Cannot mute self'),
  USER_ALREADY_MUTED: refusal('User already muted'),
  USER_NOT_MUTED: refusal('User is not muted'),
  TOO_MANY_MUTED_USERS: refusal('Too many muted users (limit: {limit})'),

  // Default streams
  IS_DEFAULT_STREAM: refusal("'{stream}' is a default stream and cannot be added to '{group}'"),
  DEFAULT_GROUP_NOT_FOUND: refusal("Default stream group with id '{id}' does not exist."),
  DEFAULT_GROUP_NAME_INVALID: refusal("Invalid default stream group name '{name}'"),
  DEFAULT_GROUP_NAME_TOO_LONG: refusal('Default stream group name too long (limit: 60 characters)'),
  DEFAULT_GROUP_NAME_HAS_NUL: refusal("Default stream group name '{name}' contains NULL (0x00) characters."),
  DEFAULT_GROUP_EXISTS: refusal("Default stream group '{name}' already exists"),
  DEFAULT_GROUP_HAS_THAT_NAME: refusal("This default stream group is already named '{name}'"),
  DEFAULT_GROUP_NOTHING_TO_CHANGE: refusal('You must pass "new_description" or "new_group_name".'),
  DEFAULT_GROUP_OP_INVALID: refusal('Invalid value for "op". Specify one of "add" or "remove".'),
  STREAM_ALREADY_IN_GROUP: refusal("Stream '{stream}' is already present in default stream group '{group}'"),
  STREAM_NOT_IN_GROUP: refusal("Stream '{stream}' is not present in default stream group '{group}'"),

  // Messages
  INVALID_MESSAGE: refusal('Invalid message(s)'),
  MESSAGE_EMPTY: refusal('Message must not be empty'),
  MESSAGE_HAS_NUL: refusal('Message must not contain null bytes'),
  CONTENT_TOO_LONG: refusal('content is too long (limit: 10000 bytes)'),
  TOPIC_EMPTY: refusal("Topic can't be empty"),
  TOPICS_REQUIRED: refusal('Topics are required in this organization.'),
  TOPIC_TOO_LONG: refusal('topic is too long (limit: 60 characters)'),
  UNABLE_TO_RENDER: refusal('Unable to render message'),

  // Fetching messages
  ANCHOR_MISSING: refusal("Missing 'anchor' argument."),
  INVALID_ANCHOR: refusal('Invalid anchor'),
  TOO_MANY_MESSAGES_REQUESTED: refusal('Too many messages requested (maximum 5000).'),
  BAD_NARROW: {
    status: 400,
    code: 'BAD_NARROW',
    msg: 'Invalid narrow operator: {desc}',
    fields: { desc: z.string() },
  },
  NARROW_TOO_SLOW: {
    status: 400,
    code: 'NARROW_TOO_SLOW',
    msg: 'Finding these messages took longer than {seconds} s. Ask with fewer or more specific terms.',
    fields: { seconds: z.int() },
  },
  MESSAGES_TOO_LARGE: refusal(
    'These messages are too long together for one response. Ask about fewer of them at once.',
  ),

  // Sending messages
  INVALID_MESSAGE_TYPE: refusal('Invalid message type'),
  ONE_STREAM_EXPECTED: refusal('Expected exactly one stream'),
  STREAM_TYPE_INVALID: refusal('Invalid data type for stream'),
  RECIPIENTS_TYPE_INVALID: refusal('Invalid data type for recipients'),
  RECIPIENTS_MIXED: refusal('Recipient lists may contain emails or user IDs, but not both.'),
  STREAM_MISSING: refusal('Missing stream'),
  TOPIC_MISSING: refusal('Missing topic'),
  RECIPIENTS_MISSING: refusal('Message must have recipients'),
  RECIPIENT_EMAIL_INVALID: refusal("Invalid email '{email}'"),
  RECIPIENT_ID_INVALID: refusal('Invalid user ID {id}'),
  RECIPIENT_DEACTIVATED: refusal("'{email}' is no longer using Oxbow."),
  MESSAGE_RECIPIENTS_TOO_MANY: refusal('Too many recipients (limit: {limit})'),
  STREAM_ID_DOES_NOT_EXIST: {
    status: 400,
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream with ID '{stream_id}' does not exist",
    fields: { stream_id: z.int() },
  },
  PRIVATE_MESSAGES_DISABLED: refusal('Private messages are disabled in this organization.'),
  MIRRORED_MESSAGE_INVALID: refusal('Invalid mirrored message'),
  WIDGET_INVALID: refusal('Widgets: {problem}'),
  SUBMESSAGE_NOT_ALLOWED: refusal('You cannot attach a submessage to this message.'),
  SUBMESSAGE_NOT_JSON: refusal('Invalid json for submessage'),
  SUBMESSAGE_TOO_LONG: refusal('content is too long (limit: {limit} bytes)'),
  SUBMESSAGES_TOO_MANY: refusal('This message cannot have more submessages.'),
  OWN_SUBMESSAGES_TOO_MANY: refusal('You cannot add more submessages to this message.'),
  QUESTION_OF_OTHERS: refusal("You can't edit a question unless you are the author."),
  WIDGET_ACTION_UNKNOWN: refusal('Unknown type for {widget} data: {type}'),

  // Drafts
  DRAFT_DOES_NOT_EXIST: { status: 404, code: 'BAD_REQUEST', msg: 'Draft does not exist' },
  ONE_STREAM_FOR_DRAFT: refusal('Must specify exactly 1 stream ID for stream messages'),
  DRAFTS_TOO_MANY: refusal('You can have at most {limit} drafts.'),
  DRAFTS_TOO_LARGE: refusal('Your drafts are too long together (limit: {limit} bytes)'),

  // Slash commands
  COMMAND_WITHOUT_SLASH: refusal('There should be a leading slash in the zcommand.'),
  COMMAND_UNKNOWN: refusal('No such command: {name}'),

  // Scheduled messages
  DELIVERY_TIME_MISSING: refusal('Missing deliver_at in a request for delayed message delivery'),
  DELIVERY_TIME_INVALID: refusal('Invalid time format'),
  DELIVERY_TIME_PAST: refusal('Time must be in the future.'),
  REMINDER_NOT_FOR_STREAM: refusal('Reminders can only be set for streams.'),
  REMINDER_RECIPIENT_FIXED: refusal(
    'A reminder goes to its author; only its content and time can be changed.',
  ),
  SCHEDULED_TIME_PAST: refusal('Scheduled delivery time must be in the future.'),
  SCHEDULED_MESSAGE_UNKNOWN: {
    status: 404,
    code: 'BAD_REQUEST',
    msg: 'Scheduled message does not exist',
  },
  SCHEDULED_RECIPIENT_MISSING: refusal('Recipient required when updating type of scheduled message.'),
  SCHEDULED_TOPIC_MISSING: refusal('Topic required when updating scheduled message type to stream.'),
  TOO_MANY_SCHEDULED_MESSAGES: refusal('Too many scheduled messages (limit: {limit})'),
  SCHEDULED_MESSAGES_TOO_LARGE: refusal(
    'Your scheduled messages are too long together (limit: {limit} bytes)',
  ),

  // Typing
  TYPING_TO_NOBODY: refusal("Missing parameter: 'to' (recipient)"),
  TYPING_OPERATION_INVALID: refusal("Invalid 'op' value (should be start or stop)"),

  // Presence
  PRESENCE_STATUS_INVALID: refusal('Invalid status: {status}'),
  PRESENCE_NOT_OF_BOTS: refusal('Presence is not supported for bot users.'),
  PRESENCE_UNKNOWN: refusal('No presence data for {user}'),

  // Editing and deleting messages
  EDITING_DISABLED: refusal('Your organization has turned off message editing'),
  PROPAGATION_WITHOUT_TOPIC: refusal('Invalid propagate_mode without topic edit'),
  CANNOT_EDIT_MESSAGE: refusal("You don't have permission to edit this message"),
  EDIT_TIME_OVER: refusal('The time limit for editing this message has passed'),
  NOTHING_TO_EDIT: refusal('Nothing to change'),
  EDITS_TOO_MANY: refusal(
    'This message was edited too often (limit: {limit} times). Send a new message instead.',
  ),
  EDITS_TOO_LARGE: refusal(
    'The earlier versions of this message are too long together (limit: {limit} bytes). Send a new message instead.',
  ),
  CANNOT_RESOLVE_TOPIC: refusal("You don't have permission to resolve this topic or to open it again"),
  CANNOT_MOVE_MESSAGE: refusal("You don't have permission to move this message"),
  CONTENT_EDITED_WITH_MOVE: refusal('Cannot change message content while changing stream'),
  STREAMS_MUST_BE_PUBLIC: refusal('Streams must be public'),
  CANNOT_DELETE_MESSAGE: refusal("You don't have permission to delete this message"),
  DELETE_TIME_OVER: refusal('The time limit for deleting this message has passed'),
  MESSAGE_ALREADY_DELETED: refusal('Message already deleted'),
  READ_RECEIPTS_DISABLED: refusal('Read receipts are disabled in this organization.'),
  TOO_MANY_READERS: refusal('Read receipts are not available in streams with more than {limit} subscribers.'),
  EDIT_HISTORY_DISABLED: refusal('Message edit history is disabled in this organization'),

  // Flags of messages
  INVALID_FLAG: refusal("Invalid flag: '{flag}'"),
  FLAG_NOT_EDITABLE: refusal("Flag not editable: '{flag}'"),
  NO_SUCH_TOPIC: refusal("No such topic '{topic}'"),

  // Emoji and reactions
  EMOJI_DOES_NOT_EXIST: refusal("Emoji '{name}' does not exist"),
  EMOJI_NAME_MISSING: refusal('Emoji name is missing'),
  EMOJI_NAME_INVALID: refusal('Invalid characters in emoji name'),
  EMOJI_NAME_TAKEN: refusal('A custom emoji with this name already exists.'),
  TOO_MANY_EMOJI: refusal(
    'Too many custom emoji in this organization, deactivated ones included (limit: {limit})',
  ),
  NOT_EMOJI_AUTHOR: refusal('Must be an organization administrator or emoji author'),
  INVALID_EMOJI_CODE: refusal('Invalid emoji code.'),
  INVALID_EMOJI_NAME: refusal('Invalid emoji name.'),
  INVALID_EMOJI_TYPE: refusal('Invalid emoji type.'),
  INVALID_CUSTOM_EMOJI: refusal('Invalid custom emoji.'),
  INVALID_CUSTOM_EMOJI_NAME: refusal('Invalid custom emoji name.'),
  CUSTOM_EMOJI_DEACTIVATED: refusal('This custom emoji has been deactivated.'),
  REACTION_EXISTS: refusal('Reaction already exists.'),
  OWN_REACTIONS_TOO_MANY: refusal(
    'You can add at most {limit} reactions to one message. Remove another one first.',
  ),
  REACTIONS_TOO_MANY: refusal('This message has too many reactions already. Reply to it instead.'),
  REACTION_DOES_NOT_EXIST: refusal("Reaction doesn't exist."),
  EMOJI_NOT_NAMED: refusal('At least one of the following arguments must be present: emoji_name, emoji_code'),

  // Domains
  DOMAIN_INVALID: refusal('Invalid domain: {why}'),
  DOMAIN_TAKEN: refusal('The domain {domain} is already a part of your organization.'),
  DOMAIN_NOT_FOUND: refusal('No entry found for domain {domain}.'),

  // Linkifiers
  LINKIFIER_INVALID: {
    status: 400,
    code: 'BAD_REQUEST',
    msg: '{text}',
    fields: { errors: z.record(z.string(), z.array(z.string())) },
  },
  LINKIFIER_NOT_FOUND: refusal('Filter not found'),
  TOO_MANY_EXPORTS: refusal('Exceeded rate limit.'),
  TOO_LARGE_TO_EXPORT: refusal('Please request a manual export from {contact}.'),
  EXPORT_NOT_FOUND: refusal('Invalid data export ID'),
  EXPORT_DELETED: refusal('Export already deleted'),
  EXPORT_PENDING: refusal('Export still in progress'),
  EXPORT_FAILED: refusal('Export failed, nothing to delete'),
  TOO_MANY_LINKIFIERS: refusal('Too many linkifiers (limit: {limit})'),

  // Incoming webhooks
  UNKNOWN_INTEGRATION: {
    status: 404,
    code: 'NOT_FOUND',
    msg: "There is no integration called '{integration}'",
  },
  BASIC_AUTHORIZATION_MISSING: unauthorized('Missing authorization header for basic auth', 'INVALID_API_KEY'),
  // For webhooks, the protocol gives these errors a different status than for other endpoints.
  WEBHOOK_ORGANIZATION_DEACTIVATED: refusal('This organization has been deactivated'),
  WEBHOOK_ACCOUNT_DEACTIVATED: refusal('Account is deactivated'),
  WEBHOOK_WRONG_SUBDOMAIN: refusal('Account is not associated with this subdomain'),
  ONLY_FOR_WEBHOOK_BOTS: refusal('This API is only available to incoming webhook bots.'),
  MISSING_HTTP_EVENT_HEADER: {
    status: 400,
    code: 'MISSING_HTTP_EVENT_HEADER',
    msg: "Missing the HTTP event header '{header}'",
    fields: { header: z.string() },
  },
  UNEXPECTED_WEBHOOK_EVENT_TYPE: {
    status: 400,
    code: 'UNEXPECTED_WEBHOOK_EVENT_TYPE',
    msg: "The '{event_type}' event isn't currently supported by the {webhook_name} webhook",
    fields: { webhook_name: z.string(), event_type: z.string() },
  },
  ANOMALOUS_WEBHOOK_PAYLOAD: {
    status: 400,
    code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
    msg: 'Unable to parse request: Did {webhook_name} generate this event?',
    fields: { webhook_name: z.string(), lacks: z.string() },
  },
  PAYLOAD_TOO_COMPLEX: refusal(
    'The payload has more than {maxValues} values or nests deeper than {maxDepth} levels',
  ),
  FIELD_IS_NO_OBJECT: refusal('{name} is not a dict'),
  WEBHOOK_SECRET_MISSING: refusal(
    'The webhook secret is missing. Please set the webhook_secret while generating the URL.',
  ),
  WEBHOOK_SIGNATURE_WRONG: refusal('Webhook signature verification failed.'),
  BOT_POSTS_ONLY_SIGNED: refusal(
    'This bot has a webhook_secret and posts only signed deliveries. Use another bot to send messages, or set an empty webhook_secret to remove it.',
  ),
  WEBHOOK_CANNOT_BE_SIGNED: refusal(
    'This bot accepts only signed deliveries, and {integration} does not sign them. Use the URL of a service that signs, or a bot without webhook_secret; an empty webhook_secret removes it.',
  ),
  EVENT_FILTER_INVALID: refusal('{name} is not a list of names of events'),
  BOT_WITHOUT_OWNER: refusal('This bot has no owner to write to; name a stream in the URL'),
  NO_SUCH_WEBHOOK_FAILURE: refusal('No such delivery was refused, or it is no longer kept'),
  WEBHOOK_FAILURE_INCOMPLETE: refusal('This delivery was too large to be kept whole'),
  WEBHOOK_FAILURE_UNSIGNED: refusal('This delivery did not prove that it is from its sender'),

  // Folders and sections of streams
  STREAM_FOLDER_INVALID: refusal('Invalid channel folder ID'),
  STREAM_FOLDER_NAME_EMPTY: refusal("Channel folder name can't be empty."),
  STREAM_FOLDER_EXISTS: refusal('Channel folder name already in use'),
  STREAM_FOLDER_ORDER_INVALID: refusal('Invalid order mapping.'),
  STREAM_FOLDER_HAS_STREAMS: refusal('You need to remove all the channels from this folder to archive it.'),
  TOO_MANY_STREAM_FOLDERS: refusal(
    'Too many folders of streams in this organization, archived ones included (limit: {limit})',
  ),
  STREAM_SECTION_TWICE: refusal('A section is listed twice'),
  STREAM_ARRANGED_TWICE: refusal('Stream {id} is listed twice'),
  TOO_MANY_ARRANGED_STREAMS: refusal('Too many streams in the sections together (limit: {limit})'),

  // User groups
  RIGHT_OUTDATED: refusal("'old' value does not match the expected value."),
  USER_GROUP_GIVES_RIGHTS: refusal(
    'Only administrators can change this group, because it gives rights in a stream.',
  ),
  USER_GROUP_IN_USE: refusal(
    "This group gives rights in the stream '{stream}'. Take them from it first, and then delete it.",
  ),
  USER_GROUP_CIRCLE: refusal('A group cannot contain itself, directly or through its sub-groups.'),
  TOO_MANY_SUBGROUPS: refusal(
    'The groups of this organization have too many sub-groups together (limit: {limit})',
  ),
  ALREADY_SUBGROUP: refusal('User group {id} is already a subgroup of this group.'),
  NOT_SUBGROUP: refusal('User group {id} is not a subgroup of this group.'),
  USER_GROUP_INVALID: refusal('Invalid user group'),
  USER_GROUP_EXISTS: refusal("User group '{name}' already exists."),
  TOO_MANY_GROUP_MEMBERS: refusal(
    'The user groups of this organization have too many members together (limit: {limit})',
  ),
  TOO_MANY_USER_GROUPS: refusal('Too many user groups in this organization (limit: {limit})'),
  USER_GROUP_NAME_EMPTY: refusal('User group name cannot be empty'),
  USER_GROUP_NAME_RESERVED: refusal("User group name cannot start with 'role:'."),
  USER_GROUP_NOTHING_TO_CHANGE: refusal('No new data supplied'),
  USER_GROUP_OF_OTHERS: refusal(
    'Only group members and organization administrators can administer this group.',
  ),
  ALREADY_IN_USER_GROUP: refusal('User {id} is already a member of this group'),
  NOT_IN_USER_GROUP: refusal("There is no member '{id}' in this user group"),

  // Custom profile fields
  FIELD_NOT_FOUND: refusal('Field id {id} not found.'),
  TOO_MANY_PROFILE_FIELDS: refusal('Too many profile fields in this organization (limit: {limit})'),
  PROFILE_TOO_LONG: refusal(
    'The values of this profile are too long together (limit: {limit} characters with their formatting). Shorten some.',
  ),
  FIELD_LABEL_BLANK: refusal('Label cannot be blank.'),
  FIELD_LABEL_EXISTS: refusal('A field with that label already exists.'),
  FIELD_TYPE_INVALID: refusal('Invalid field type.'),
  FIELD_IS_BUILT_IN: refusal('Default custom field cannot be updated.'),
  FIELD_ORDER_INVALID: refusal('Invalid order mapping.'),
  FIELD_WITHOUT_CHOICES: refusal('Field must have at least one choice.'),
  FIELD_ACCOUNT_TYPE_INVALID: refusal('Invalid external account type'),
  FIELD_PATTERN_MISSING: refusal('Custom external account must define url pattern'),
  FIELD_PATTERN_MALFORMED: refusal('Malformed URL pattern.'),
  VALUE_NOT_A_CHOICE: refusal("'{value}' is not a valid choice for '{field}'."),
  VALUE_USER_DEACTIVATED: refusal('User with ID {id} is deactivated'),
  VALUE_USER_IS_BOT: refusal('User with ID {id} is a bot'),
} as const satisfies Record<string, ErrorDeclaration>

export type ErrorName = keyof typeof errors
