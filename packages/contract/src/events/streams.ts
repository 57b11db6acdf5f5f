import { z } from 'zod'
import { streamId } from '../ids.ts'
import { defaultStreamGroup, stream } from '../shapes/stream.ts'
import { unsubscribedStream } from '../shapes/subscription.ts'
import { kind } from './kind.ts'

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

/** A stream that someone comes to see although it is not new: also what a new one has none of. */
const appearing = stream.extend({
  stream_weekly_traffic: unsubscribedStream.shape.stream_weekly_traffic.optional(),
  subscribers: unsubscribedStream.shape.subscribers,
})

export const streamEvent = z.discriminatedUnion('op', [
  kind('stream', {
    op: z.literal('create'),
    streams: z.array(appearing).meta({ description: 'New, or now to be seen by this account' }),
  }),
  kind('stream', {
    op: z.literal('delete'),
    streams: z.array(stream).meta({ description: 'Archived, or no longer to be seen by this account' }),
  }),
  kind('stream', {
    op: z.literal('update'),
    stream_id: streamId,
    name: z.string().meta({ description: 'The name before the change' }),
    property: z.enum(streamProperties),
    value: z.union([z.string(), z.boolean(), z.int()]).nullable(),
    rendered_description: z.string().optional().meta({ description: 'With `description`' }),
    history_public_to_subscribers: z.boolean().optional().meta({ description: 'With `invite_only`' }),
  }),
  kind('stream', {
    op: z.literal('occupy'),
    streams: z.array(stream).meta({ description: 'Someone is in them again' }),
  }),
  kind('stream', {
    op: z.literal('vacate'),
    streams: z.array(stream).meta({ description: 'Nobody is in them any more' }),
  }),
])
export type StreamEvent = z.infer<typeof streamEvent>

export const defaultStreamsEvent = kind('default_streams', {
  default_streams: z.array(stream).meta({ description: 'All of them, as they are now' }),
})
export type DefaultStreamsEvent = z.infer<typeof defaultStreamsEvent>

export const defaultStreamGroupsEvent = kind('default_stream_groups', {
  default_stream_groups: z.array(defaultStreamGroup).meta({ description: 'All of them, as they are now' }),
})
export type DefaultStreamGroupsEvent = z.infer<typeof defaultStreamGroupsEvent>
