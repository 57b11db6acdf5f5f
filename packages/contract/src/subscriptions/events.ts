import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { inheritedSettings, mutedTopic, subscription, userTopic } from './shape.ts'

export const subscriptionProperties = ['color', 'in_home_view', 'pin_to_top', ...inheritedSettings] as const

const peer = (about: string) => ({
  stream_id: field(streamId, texts.streamId),
  user_id: field(userId, about),
})

export const subscriptionEvent = z.discriminatedUnion('op', [
  eventSchema('subscription', {
    op: field(z.literal('add'), 'This account was subscribed to streams.'),
    subscriptions: field(
      z.array(subscription),
      'The streams, with the settings of this account. `subscribers` is always present.',
    ),
  }),
  eventSchema('subscription', {
    op: field(z.literal('remove'), 'This account was unsubscribed from streams.'),
    subscriptions: field(
      z.array(
        object({
          name: field(z.string(), 'The name of the stream.'),
          stream_id: field(streamId, texts.streamId),
        }),
      ),
      'The streams.',
    ),
  }),
  eventSchema('subscription', {
    op: field(z.literal('update'), 'This account changed a setting of a subscription.'),
    stream_id: field(streamId, texts.streamId),
    name: field(z.string(), 'The name of the stream.'),
    email: field(z.string(), 'The API address of this account.'),
    property: field(z.enum(subscriptionProperties), 'The setting that changed.'),
    value: field(
      z.union([z.boolean(), z.string()]).nullable(),
      'The new value of the setting. Null if the setting of the account applies again; clients without the capability `notification_settings_null` get the value that applies.',
    ),
  }),
  eventSchema('subscription', {
    op: field(z.literal('peer_add'), 'Another user was subscribed to a stream.'),
    ...peer('The id of the new subscriber.'),
  }),
  eventSchema('subscription', {
    op: field(z.literal('peer_remove'), 'Another user was unsubscribed from a stream.'),
    ...peer('The id of the former subscriber.'),
  }),
])
export type SubscriptionEvent = z.infer<typeof subscriptionEvent>

export const mutedTopicsEvent = eventSchema('muted_topics', {
  muted_topics: field(
    z.array(mutedTopic),
    'All muted topics of this account, after the change. Each is a list of the name of the stream, the topic, and the time of muting in seconds.',
  ),
})
export type MutedTopicsEvent = z.infer<typeof mutedTopicsEvent>

export const userTopicEvent = eventSchema('user_topic', userTopic.shape)
export type UserTopicEvent = z.infer<typeof userTopicEvent>
