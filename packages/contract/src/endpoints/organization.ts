import { z } from 'zod'
import { streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, nonNegativeInteger, quotableText } from '../kernel/params.ts'
import { maxCharacters, nonBlank, oneOfIntegers, stringOrInteger } from '../kernel/schemas.ts'
import { emailVisibilities, organizationGroups, organizationProperties } from '../shapes/organization.ts'

const flag = (description?: string) => json(z.boolean().optional(), description ? { description } : {})
const code = <const Codes extends readonly number[]>(codes: Codes, description: string) =>
  json(oneOfIntegers(codes).optional(), { description })
const seconds = (description: string) => nonNegativeInteger(z.int().optional(), { description })
const noticeStream = (description: string) =>
  json(streamId.optional(), { description: `${description}; a negative number: nowhere` })

const whoMay = '1 members, 2 administrators, 3 full members'

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
    'All of it or nothing. The answer has what changed: texts as the word `updated`, everything else as it is now.',
  method: 'PATCH',
  path: '/api/v1/realm',
  auth: 'user',
  only: ['administrators'],
  params: {
    name: quotableText(nonBlank().optional(), { description: 'At most 40 characters' }),
    description: quotableText(z.string().optional(), { description: 'Markdown, at most 1000 characters' }),
    emails_restricted_to_domains: flag('Only addresses of the allowed domains'),
    disallow_disposable_email_addresses: flag(),
    invite_required: flag('Nobody joins without an invitation'),
    invite_by_admins_only: flag(),
    name_changes_disabled: flag('Only administrators change their name'),
    email_changes_disabled: flag('Only administrators change their address'),
    avatar_changes_disabled: flag('Only administrators change their picture'),
    inline_image_preview: flag('Pictures are shown under the links to them'),
    inline_url_embed_preview: flag('Pages are shown under the links to them'),
    add_emoji_by_admins_only: flag(),
    allow_message_deleting: flag('People may delete what they wrote'),
    message_content_delete_limit_seconds: seconds('For how long; 0: for ever'),
    allow_message_editing: flag('People may edit what they wrote'),
    allow_community_topic_editing: flag('Anyone may change topics, for a day'),
    mandatory_topics: flag('Nothing is sent to `(no topic)`'),
    message_content_edit_limit_seconds: seconds('How long people may edit what they wrote; 0: for ever'),
    allow_edit_history: flag('What a message was before it was edited may be read'),
    default_language: quotableText(z.string().optional(), { description: 'Of new accounts' }),
    waiting_period_threshold: nonNegativeInteger(z.int().optional(), {
      description: 'Days until a member is a full member',
    }),
    authentication_methods: json(z.record(z.string(), z.boolean()).optional(), {
      description: 'By name, whether one may sign in with it; those that are not named stay. For owners',
    }),
    notifications_stream_id: noticeStream('Where new streams are announced'),
    signup_notifications_stream_id: noticeStream('Where new people are announced'),
    message_retention_days: json(stringOrInteger().optional(), {
      description: 'How long messages are kept: days, or "forever". For owners',
    }),
    send_welcome_emails: flag(),
    digest_emails_enabled: flag(),
    message_content_allowed_in_email_notifications: flag(),
    bot_creation_policy: code(
      [1, 2, 3],
      '1 everyone, 2 generic bots by administrators only, 3 administrators',
    ),
    create_stream_policy: code([1, 2, 3], whoMay),
    invite_to_stream_policy: code([1, 2, 3], whoMay),
    user_group_edit_policy: code([1, 2], '1 members, 2 administrators'),
    private_message_policy: code([1, 2], '1 allowed, 2 disabled'),
    email_address_visibility: code(
      emailVisibilities,
      'Who sees the addresses of people: 1 everyone, 3 administrators, 4 nobody',
    ),
    default_twenty_four_hour_time: flag('Of new accounts'),
    video_chat_provider: json(z.int().optional(), { description: 'One of those that `register` lists' }),
    default_code_block_language: quotableText(
      // Clients that mean none send null, which must not become the name of a language.
      maxCharacters(60)
        .refine((language) => language !== 'null', { error: '{V} is not a string' })
        .optional(),
      { description: 'Of code that names none; empty: none' },
    ),
    digest_weekday: code([0, 1, 2, 3, 4, 5, 6], '0 is Monday'),
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
  summary: 'Deactivate the organization: from then on nobody is let in.',
  description: 'Nothing is deleted. Only whoever runs the server can make it active again.',
  method: 'POST',
  path: '/api/v1/realm/deactivate',
  auth: 'user',
  only: ['owners'],
  params: {},
  response: {},
  errors: [],
})
