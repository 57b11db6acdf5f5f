import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { streamId } from '../ids.ts'
import { unsubscribedStream } from '../subscriptions/shape.ts'
import { defaultStreamGroup, stream } from './shape.ts'

export const streamProperties = [
  'name',
  'email_address',
  'description',
  'invite_only',
  'stream_post_policy',
  'is_announcement_only',
  'message_retention_days',
  'first_message_id',
] as const

/**
 * A stream that becomes visible to an account. If it is not new, it may have traffic and
 * subscribers.
 */
const revealedStream = stream.extend({
  stream_weekly_traffic: unsubscribedStream.shape.stream_weekly_traffic.optional(),
  subscribers: unsubscribedStream.shape.subscribers,
})

export const streamEvent = z.discriminatedUnion('op', [
  eventSchema('stream', {
    op: z.literal('create'),
    streams: z.array(revealedStream),
  }),
  eventSchema('stream', {
    op: z.literal('delete'),
    streams: z.array(stream),
  }),
  eventSchema('stream', {
    op: z.literal('update'),
    stream_id: streamId,
    name: z.string(),
    property: z.enum(streamProperties),
    value: z.union([z.string(), z.boolean(), z.int()]).nullable(),
    rendered_description: z.string().optional(),
    history_public_to_subscribers: z.boolean().optional(),
  }),
  eventSchema('stream', {
    op: z.literal('occupy'),
    streams: z.array(stream),
  }),
  eventSchema('stream', {
    op: z.literal('vacate'),
    streams: z.array(stream),
  }),
])
export type StreamEvent = z.infer<typeof streamEvent>

export const defaultStreamsEvent = eventSchema('default_streams', {
  default_streams: z.array(stream),
})
export type DefaultStreamsEvent = z.infer<typeof defaultStreamsEvent>

export const defaultStreamGroupsEvent = eventSchema('default_stream_groups', {
  default_stream_groups: z.array(defaultStreamGroup),
})
export type DefaultStreamGroupsEvent = z.infer<typeof defaultStreamGroupsEvent>
