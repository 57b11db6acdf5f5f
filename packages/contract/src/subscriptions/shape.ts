import { z } from 'zod'
import { userId } from '../ids.ts'
import { stream } from '../streams/shape.ts'

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
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: inherited,
  audible_notifications: inherited,
  push_notifications: inherited,
  email_notifications: inherited,
  wildcard_mentions_notify: inherited,
}

const visibleFields = {
  stream_weekly_traffic: z.int().nullable(),
  subscribers: z.array(userId).optional(),
}

/** A stream that the account is or was subscribed to. */
export const subscription = stream.extend({
  ...personalSettings,
  email_address: z.string(),
  ...visibleFields,
})
export type Subscription = z.infer<typeof subscription>

/** A stream that the account was never subscribed to. */
export const unsubscribedStream = stream.extend(visibleFields)
export type UnsubscribedStream = z.infer<typeof unsubscribedStream>

/** The name of the stream, the topic, and the time of muting in seconds since 1970. */
export const mutedTopic = z.tuple([z.string(), z.string(), z.int()])
export type MutedTopic = z.infer<typeof mutedTopic>
