import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { streamId, userId } from '../ids.ts'
import { inheritedSettings, mutedTopic, subscription } from './shape.ts'

export const subscriptionProperties = ['color', 'in_home_view', 'pin_to_top', ...inheritedSettings] as const

const peer = { stream_id: streamId, user_id: userId }

export const subscriptionEvent = z.discriminatedUnion('op', [
  eventSchema('subscription', {
    op: z.literal('add'),
    subscriptions: z.array(subscription),
  }),
  eventSchema('subscription', {
    op: z.literal('remove'),
    subscriptions: z.array(z.strictObject({ name: z.string(), stream_id: streamId })),
  }),
  eventSchema('subscription', {
    op: z.literal('update'),
    stream_id: streamId,
    name: z.string(),
    email: z.string(),
    property: z.enum(subscriptionProperties),
    value: z.union([z.boolean(), z.string()]).nullable(),
  }),
  eventSchema('subscription', { op: z.literal('peer_add'), ...peer }),
  eventSchema('subscription', { op: z.literal('peer_remove'), ...peer }),
])
export type SubscriptionEvent = z.infer<typeof subscriptionEvent>

export const mutedTopicsEvent = eventSchema('muted_topics', {
  muted_topics: z.array(mutedTopic),
})
export type MutedTopicsEvent = z.infer<typeof mutedTopicsEvent>
