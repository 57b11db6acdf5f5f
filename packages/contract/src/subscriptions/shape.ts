import { z } from 'zod'
import { streamId, userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'
import { stream } from '../streams/shape.ts'

const aboutInherited = (what: string) =>
  `Whether messages in the stream ${what}. Null if the account's setting for all streams applies.`

/** Settings of a subscription that are null if the account's setting for all streams applies. */
export const inheritedSettings = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const
export type InheritedSetting = (typeof inheritedSettings)[number]

const inherited = z.boolean().nullable()

/** Settings of one subscriber for one stream. */
export const personalSettings = {
  color: field(z.string(), "The stream's colour in this account, like `#c2c2c2`."),
  is_muted: field(z.boolean(), 'Whether this account has muted the stream.'),
  in_home_view: field(z.boolean(), 'Deprecated. The opposite of `is_muted`.'),
  pin_to_top: field(z.boolean(), 'Whether this account has pinned the stream to the top of its list.'),
  desktop_notifications: field(inherited, aboutInherited('cause desktop notifications')),
  audible_notifications: field(inherited, aboutInherited('cause an audible notification')),
  push_notifications: field(inherited, aboutInherited('cause push notifications to mobile devices')),
  email_notifications: field(inherited, aboutInherited('cause e-mail notifications')),
  wildcard_mentions_notify: field(
    inherited,
    aboutInherited('that mention everyone notify like a personal mention'),
  ),
}

const visibleFields = {
  stream_weekly_traffic: field(
    z.int().nullable(),
    'The average number of messages per week, rounded. Null if the stream is too new for an average.',
  ),
  subscribers: field(
    z.array(userId).optional(),
    'The ids of the subscribers. Absent unless they were requested and the account may see them.',
  ),
}

/** A stream that the account is or was subscribed to. */
export const subscription = stream.extend({
  ...personalSettings,
  email_address: field(z.string(), 'E-mail to this address is posted to the stream. Empty if there is none.'),
  ...visibleFields,
})
export type Subscription = z.infer<typeof subscription>

/** A stream that the account was never subscribed to. */
export const unsubscribedStream = stream.extend(visibleFields)
export type UnsubscribedStream = z.infer<typeof unsubscribedStream>

/** The name of the stream, the topic, and the time of muting in seconds since 1970. */
export const mutedTopic = z.tuple([z.string(), z.string(), z.int()])
export type MutedTopic = z.infer<typeof mutedTopic>

export const attention = z.literal([0, 1, 2, 3])

/** A topic that the account muted, unmuted or follows. */
export const userTopic = object({
  stream_id: field(streamId, 'The id of the stream.'),
  topic_name: field(z.string(), 'The topic.'),
  last_updated: field(z.int(), 'When it was changed last, in seconds since 1970-01-01 UTC.'),
  visibility_policy: field(
    attention,
    '0 as the stream says (only in events), 1 muted, 2 unmuted in a muted stream, 3 followed.',
  ),
})
export type UserTopic = z.infer<typeof userTopic>
