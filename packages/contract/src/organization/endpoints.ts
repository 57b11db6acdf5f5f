import { z } from 'zod'
import { streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, nonNegativeInteger, quotableText } from '../kernel/params.ts'
import { maxCharacters, maxKeys, nonBlank, oneOfIntegers, stringOrInteger } from '../kernel/schemas.ts'
import { emailVisibilities, organizationGroups, organizationProperties } from './shape.ts'

const flag = json(z.boolean().optional())
const oneOf = <const Codes extends readonly number[]>(codes: Codes) => json(oneOfIntegers(codes).optional())
const seconds = nonNegativeInteger(z.int().optional())
const noticeStream = json(streamId.optional())

type Optional<Fields extends Record<string, z.ZodType>> = {
  [Name in keyof Fields]: z.ZodOptional<Fields[Name]>
}

function optional<Fields extends Record<string, z.ZodType>>(fields: Fields): Optional<Fields> {
  const entries = Object.entries(fields).map(([name, schema]) => [name, schema.optional()])
  return Object.fromEntries(entries) as Optional<Fields>
}

const updated = z.literal('updated')
const { plan_type: _, ...settable } = organizationProperties

export const update = endpoint({
  summary: "Change the organization's settings.",
  description:
    'Either all changes are made or none. The response contains the settings that changed: the new value, or the word `updated` for texts.',
  method: 'PATCH',
  path: '/api/v1/realm',
  auth: 'user',
  only: ['administrators'],
  params: {
    name: quotableText(nonBlank().optional()),
    description: quotableText(z.string().optional()),
    emails_restricted_to_domains: flag,
    disallow_disposable_email_addresses: flag,
    invite_required: flag,
    invite_by_admins_only: flag,
    name_changes_disabled: flag,
    email_changes_disabled: flag,
    avatar_changes_disabled: flag,
    inline_image_preview: flag,
    inline_url_embed_preview: flag,
    add_emoji_by_admins_only: flag,
    allow_message_deleting: flag,
    message_content_delete_limit_seconds: seconds,
    allow_message_editing: flag,
    allow_community_topic_editing: flag,
    mandatory_topics: flag,
    message_content_edit_limit_seconds: seconds,
    allow_edit_history: flag,
    default_language: quotableText(z.string().optional()),
    waiting_period_threshold: nonNegativeInteger(z.int().optional()),
    authentication_methods: json(maxKeys(100).pipe(z.record(z.string(), z.boolean())).optional()),
    notifications_stream_id: noticeStream,
    signup_notifications_stream_id: noticeStream,
    message_retention_days: json(stringOrInteger().optional()),
    send_welcome_emails: flag,
    digest_emails_enabled: flag,
    message_content_allowed_in_email_notifications: flag,
    bot_creation_policy: oneOf([1, 2, 3]),
    create_stream_policy: oneOf([1, 2, 3]),
    invite_to_stream_policy: oneOf([1, 2, 3]),
    user_group_edit_policy: oneOf([1, 2]),
    private_message_policy: oneOf([1, 2]),
    email_address_visibility: oneOf(emailVisibilities),
    default_twenty_four_hour_time: flag,
    video_chat_provider: json(z.int().optional()),
    default_code_block_language: quotableText(
      // Some clients send the text `null` for no language. It must not become the name of a language.
      maxCharacters(60)
        .refine((language) => language !== 'null', { error: '{V} is not a string' })
        .optional(),
    ),
    digest_weekday: oneOf([0, 1, 2, 3, 4, 5, 6]),
  },
  response: {
    ...optional(settable),
    ...optional(organizationGroups.default),
    name: updated.optional(),
    description: updated.optional(),
    default_language: updated.optional(),
  },
  errors: [
    'MUST_BE_OWNER',
    'LANGUAGE_INVALID',
    'ORGANIZATION_NAME_TOO_LONG',
    'ORGANIZATION_DESCRIPTION_TOO_LONG',
    'NO_AUTHENTICATION_METHOD',
    'VIDEO_CHAT_PROVIDER_INVALID',
    'PLAN_TOO_SMALL',
    'INVALID_STREAM_ID',
  ],
})

export const deactivate = endpoint({
  summary: 'Deactivate the organization. Nobody can sign in any more.',
  description: 'No data is deleted. Only the operator of the server can reactivate the organization.',
  method: 'POST',
  path: '/api/v1/realm/deactivate',
  auth: 'user',
  only: ['owners'],
  params: {},
  response: {},
  errors: [],
})
